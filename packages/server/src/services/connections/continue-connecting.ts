import { createHash, randomBytes } from 'node:crypto';
import { defaultScopes } from '@tributary/contract';
import { findProvider, type Provider } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { scopeBits } from '../../scope-bits.ts';
import { createSecretToken, hashSecret } from '../../credentials/secret-token.ts';
import { continueConnectLink, endConnectLink } from '../../store/connections/connect-links.ts';
import { findApp } from '../providers/find-app.ts';
import { withConnectLink, type ConnectView } from './open-connect-link.ts';

/** How long the user may take to return from the provider. */
const returnMinutes = 30;

/** The encryption context of a link's PKCE verifier. */
export const exchangeSeal = (linkId: string) => `connect-link/${linkId}`;

/** The redirect URI registered with providers. */
export function callbackUrl({ config }: Pick<Context, 'config'>): string {
  return `${config.http.publicUrl}/connect/callback`;
}

export type Continued =
  | { outcome: 'onwards'; url: string; browser: string; view: ConnectView }
  | { outcome: 'ended' | 'unavailable'; view: ConnectView };

/** The form field of categories that a user turns on. */
export const shareField = 'share';

/** The categories that a user shares: the default ones, and those of the provider that the user turned on. */
export function chosenScopes({ optIns }: Pick<Provider, 'optIns'>, turnedOn: readonly string[]): number {
  const chosen = (optIns ?? []).map(({ scope }) => scope).filter((scope) => turnedOn.includes(scope));
  return scopeBits([...defaultScopes, ...chosen]);
}

/** Redirects the user to the provider, with what they turned on. Works once per link. Returns null if the link does not exist. */
export function continueConnecting(
  ctx: Pick<Context, 'db' | 'clock' | 'config' | 'keyring'>,
  token: string,
  turnedOn: readonly string[],
): Promise<Continued | null> {
  return withConnectLink<Continued>(ctx, 'link_hash', hashSecret(token), async (tx, link, view) => {
    const provider = findProvider(link.provider)!;
    if (view.status === 'withdrawn') return { outcome: 'ended', view };
    const app = await findApp(ctx, tx, link.environment, provider);
    if (!app) return { outcome: 'unavailable', view };
    const state = createSecretToken('cs_');
    const browser = createSecretToken('cb_');
    const verifier = randomBytes(32).toString('base64url');
    const isContinued = await continueConnectLink(tx, link.id, {
      stateHash: hashSecret(state),
      browserHash: hashSecret(browser),
      sealed: ctx.keyring.encrypt(Buffer.from(verifier), exchangeSeal(link.id)),
      minutes: returnMinutes,
      scopes: chosenScopes(provider, turnedOn),
    });
    if (!isContinued)
      return { outcome: 'ended', view: view.status === 'open' ? { ...view, status: 'continued' } : view };
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const url = provider.oauth.authorizeUrl(app, { redirectUri: callbackUrl(ctx), state, challenge });
    return { outcome: 'onwards', url, browser, view };
  });
}

/** Cancels the link at the user's request. Returns null if the link does not exist. */
export function cancelConnecting(
  ctx: Pick<Context, 'db' | 'clock'>,
  token: string,
): Promise<{ cancelled: boolean; view: ConnectView } | null> {
  return withConnectLink(ctx, 'link_hash', hashSecret(token), async (tx, link, view) => {
    const cancelled = await endConnectLink(tx, link.id, 'open', 'cancelled');
    return { cancelled, view: cancelled ? { ...view, status: 'cancelled' } : view };
  });
}
