import { hostsInLab, type App, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../store/database.ts';
import { findProviderApp } from '../../store/provider-apps.ts';
import type { Environment } from '../../store/tenant.ts';

/** What is sealed of an application. */
export interface AppSecrets {
  clientSecret: string;
  settings: Record<string, string>;
  /** Ends the address of its pushes, and stays while everything else of it changes: people's subscriptions and the portals of providers hold that address. */
  pushSecret: string;
}

/** What the secrets of an application are bound to. */
export const appSeal = (provider: string) => `provider-app/${provider}`;

/** The application by which an environment reaches a provider: the operator's own, or the lab's in the sandbox; null when there is none. */
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
