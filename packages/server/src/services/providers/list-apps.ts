import { providers, type App, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { countConnected } from '../../store/connections.ts';
import { findProviderApp } from '../../store/provider-apps.ts';
import { callbackUrl } from '../connections/continue-connecting.ts';
import { findApp } from './find-app.ts';
import { pushUrlOf } from './push-address.ts';

/** A provider as the operator sees it. */
export interface OperatedProvider {
  id: string;
  name: string;
  /** `unreadable`: its secrets were sealed with a key that is not known any more. */
  status: 'configured' | 'not_configured' | 'unreadable';
  clientId: string | null;
  updatedAt: string | null;
  /** People of the live environment whose consent is there. */
  connected: number;
  /** What to register with the provider. */
  callbackUrl: string;
  pushUrl: string | null;
  /** Where the lab pushes to; null where there is no lab. */
  sandboxPushUrl: string | null;
  settings: { name: string; about: string; isSet: boolean }[];
}

type ListContext = Pick<Context, 'operator' | 'config' | 'keyring'>;

/** Every provider, and what the operator has told of it and has to tell it. */
export function listApps(ctx: ListContext): Promise<OperatedProvider[]> {
  return Promise.all(providers.map((provider) => describeApp(ctx, provider)));
}

/** The same of one. */
export async function describeApp(ctx: ListContext, provider: Provider): Promise<OperatedProvider> {
  const { id, name, push, settings = [] } = provider;
  const stored = await findProviderApp(ctx.operator, id);
  const app = stored && (await openApp(ctx, provider));
  const inLab = await findApp(ctx, ctx.operator, 'sandbox', provider);
  return {
    id,
    name,
    status: stored ? (app ? 'configured' : 'unreadable') : 'not_configured',
    clientId: stored?.clientId ?? null,
    updatedAt: stored?.updatedAt ?? null,
    connected: await countConnected(ctx.operator, { environment: 'live', provider: id }),
    callbackUrl: callbackUrl(ctx),
    pushUrl: push && app ? pushUrlOf(ctx, 'live', id, app) : null,
    sandboxPushUrl: push && inLab ? pushUrlOf(ctx, 'sandbox', id, inLab) : null,
    settings: settings.map((setting) => ({
      name: setting.name,
      about: setting.about,
      isSet: app?.settings[setting.name] !== undefined,
    })),
  };
}

async function openApp(ctx: ListContext, provider: Provider): Promise<App | null> {
  try {
    return await findApp(ctx, ctx.operator, 'live', provider);
  } catch {
    return null;
  }
}
