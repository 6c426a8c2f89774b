import { providers, type App, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { countConnected } from '../../store/connections/connections.ts';
import { findProviderApp } from '../../store/connections/provider-apps.ts';
import { callbackUrl } from '../connections/continue-connecting.ts';
import { findApp } from './find-app.ts';
import { pushUrlOf } from './push-address.ts';

/** A provider as listed for the operator. */
export interface OperatedProvider {
  id: string;
  name: string;
  /** `unreadable`: its secrets were encrypted with a key that is no longer available. */
  status: 'configured' | 'not_configured' | 'unreadable';
  clientId: string | null;
  updatedAt: string | null;
  /** The number of connected users in the live environment. */
  connected: number;
  /** The URLs to register with the provider. */
  callbackUrl: string;
  pushUrl: string | null;
  /** The URL to which the lab sends pushes. Null without a lab. */
  sandboxPushUrl: string | null;
  settings: { name: string; about: string; isSet: boolean }[];
}

type ListContext = Pick<Context, 'operator' | 'config' | 'keyring'>;

/** Lists all providers with their configuration and the URLs to register. */
export function listApps(ctx: ListContext): Promise<OperatedProvider[]> {
  return Promise.all(providers.map((provider) => describeApp(ctx, provider)));
}

/** Describes one provider. */
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
