import { hostsInLab, type App, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../store/database/database.ts';
import { findProviderApp } from '../../store/connections/provider-apps.ts';
import type { Environment } from '../../store/database/tenant.ts';

/** The encrypted part of a provider app. */
export interface AppSecrets {
  clientSecret: string;
  settings: Record<string, string>;
  /** The last part of the push URL. It never changes, because users' subscriptions and provider portals contain that URL. */
  pushSecret: string;
}

/** The encryption context of a provider app's secrets. */
export const appSeal = (provider: string) => `provider-app/${provider}`;

/** The provider app of an environment: the operator's own, or the lab's in the sandbox. Null if there is none. */
export async function findApp(
  ctx: Pick<Context, 'config' | 'keyring'>,
  db: Queryable,
  environment: Environment,
  provider: Provider,
): Promise<App | null> {
  if (environment === 'sandbox') return labApp(ctx.config.lab, provider);
  const stored = await findProviderApp(db, provider.id);
  if (!stored) return null;
  const secrets = JSON.parse(
    ctx.keyring.decrypt(stored.sealed, appSeal(provider.id)).toString(),
  ) as AppSecrets;
  return { clientId: stored.clientId, hosts: provider.hosts, ...secrets };
}

function labApp(lab: Context['config']['lab'], provider: Provider): App | null {
  if (!lab) return null;
  const { clientId, clientSecret } = lab;
  return {
    clientId,
    clientSecret,
    hosts: hostsInLab(provider, lab.url),
    settings: provider.labSettings ?? {},
  };
}
