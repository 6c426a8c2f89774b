import { providers, type App, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { findProviderApp } from '../../store/connections/provider-apps.ts';
import type { Environment } from '../../store/database/tenant.ts';
import { callbackUrl } from '../connections/continue-connecting.ts';
import { findApp } from '../providers/find-app.ts';
import { pushUrlOf } from '../providers/push-address.ts';

/** A provider app as the dashboard shows it, without secrets and without a count of connections. */
export interface DescribedApp {
  provider: string;
  isSet: boolean;
  /** False if its secrets were encrypted with a key that is no longer configured. */
  isReadable: boolean;
  clientId: string | null;
  updatedAt: string | null;
  callbackUrl: string;
  pushUrl: string | null;
  settings: { name: string; about: string; isSet: boolean }[];
}

type AppContext = Pick<Context, 'db' | 'config' | 'keyring'>;

/** Returns the provider apps, which are those of the live environment, with the push URL of one environment. */
export function describeApps(ctx: AppContext, environment: Environment): Promise<DescribedApp[]> {
  return Promise.all(providers.map((provider) => describeOne(ctx, environment, provider)));
}

async function describeOne(
  ctx: AppContext,
  environment: Environment,
  provider: Provider,
): Promise<DescribedApp> {
  const { id, push, settings = [] } = provider;
  const stored = await findProviderApp(ctx.db, id);
  const live = await openApp(ctx, 'live', provider);
  const pushed = environment === 'live' ? live : await openApp(ctx, environment, provider);
  return {
    provider: id,
    isSet: stored !== null,
    isReadable: stored === null || live !== null,
    clientId: stored?.clientId ?? null,
    updatedAt: stored?.updatedAt ?? null,
    callbackUrl: callbackUrl(ctx),
    pushUrl: push && pushed ? pushUrlOf(ctx, environment, id, pushed) : null,
    settings: settings.map(({ name, about }) => ({
      name,
      about,
      isSet: live?.settings[name] !== undefined,
    })),
  };
}

async function openApp(ctx: AppContext, environment: Environment, provider: Provider): Promise<App | null> {
  try {
    return await findApp(ctx, ctx.db, environment, provider);
  } catch {
    return null;
  }
}
