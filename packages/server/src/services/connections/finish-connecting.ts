import { dayMs } from '@tributary/domain';
import { findProvider, isSameSecret, type Provider, type Tokens } from '@tributary/providers';
import type { Context } from '../../context.ts';
import { hashSecret } from '../../credentials/secret-token.ts';
import { formatId } from '../../ids.ts';
import { scopesOf } from '../../scope-bits.ts';
import type { Acting, Actor } from '../../store/audit/actor.ts';
import { endConnectLink, failConnectLink, type ConnectLink } from '../../store/connections/connect-links.ts';
import { authorizeConnection, findDeviceOfProvider } from '../../store/connections/connections.ts';
import { insertEvents } from '../../store/events/events.ts';
import { lockDevice } from '../../store/devices/removed.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { touchUser } from '../../store/users/read.ts';
import { lockUser, userExists } from '../../store/users/users.ts';
import { record } from '../audit/record.ts';
import { findApp } from '../providers/find-app.ts';
import { openAppApi, openUserApi, type ProviderAccess, type TokenSource } from '../providers/open-api.ts';
import { pushUrlOf } from '../providers/push-address.ts';
import { callbackUrl, chosenScopes, exchangeSeal, shareField } from './continue-connecting.ts';
import { revokeConsent } from './end-consent.ts';
import { withConnectLink, type ConnectView } from './open-connect-link.ts';
import { sealTokens } from './seal-tokens.ts';

/** The request with which a user returns from a provider. */
export interface Return {
  state: string;
  /** Of a confirmation, the form: it also has the categories that the user turned on. */
  query: URLSearchParams;
  /** The secret in the browser's cookie. Null if the browser has none. */
  browser: string | null;
  /** Whether the user confirmed the connection in a browser without the cookie. */
  confirmed: boolean;
  origin: Pick<Actor, 'address' | 'requestId'>;
}

export interface Finished {
  outcome: 'connected' | 'declined' | 'failed' | 'ended' | 'confirm';
  view: ConnectView;
}

/** Turns a consent into a connection. Each return works once. Returns null if no link has this state. */
export async function finishConnecting(ctx: Context, back: Return): Promise<Finished | null> {
  const claim = await takeReturn(ctx, back);
  if (!claim || 'outcome' in claim) return claim;
  const { link, verifier, view } = claim;
  try {
    const provider = findProvider(link.provider)!;
    const app = await findApp(ctx, ctx.db, link.environment, provider);
    if (!app) throw new Error(`${provider.id} is no longer configured`);
    const access = { environment: link.environment, provider, app };
    const consent = await redeem(ctx, access, link, { query: back.query, verifier });
    const isStored = await keepConsent(ctx, link, provider, consent, back.origin);
    if (isStored) return { outcome: 'connected', view: { ...view, status: 'connected' } };
    // The user or device is gone, so revoke the consent at the provider.
    const { deviceId } = link;
    await revokeConsent(ctx, access, {
      deviceId,
      externalId: consent.externalId,
      tokens: lone(consent.tokens),
    });
  } catch (error) {
    ctx.log.warn({ err: error, provider: link.provider }, 'failed to connect a user');
  }
  await asTenant(ctx.db, link, (tx) => failConnectLink(tx, link.id));
  return { outcome: 'failed', view: { ...view, status: 'failed' } };
}

/** Claims the single return of a link, or returns the reason why it cannot be claimed. */
function takeReturn(
  ctx: Context,
  { state, query, browser, confirmed, origin }: Return,
): Promise<Finished | { link: ConnectLink; verifier: string; view: ConnectView } | null> {
  return withConnectLink(ctx, 'state_hash', hashSecret(state), async (tx, link, view) => {
    const end = (status: 'declined' | 'failed' | 'connected') =>
      endConnectLink(tx, link.id, 'continued', status);
    if (view.status !== 'continued' || !link.sealed || !link.browserHash)
      return { outcome: 'ended' as const, view };
    if (query.get('code') === null) {
      const status = query.get('error') === 'access_denied' ? 'declined' : 'failed';
      if (await end(status))
        await record(ctx, tx, actingAsPerson(link, origin), {
          action: 'device.declined',
          target: { type: 'device', id: formatId('dev', link.deviceId) },
          data: { provider: link.provider },
          person: link.userId,
        });
      return { outcome: status, view: { ...view, status } };
    }
    // A browser without our cookie may belong to a victim who was tricked into connecting their data to another user, so ask for confirmation.
    const isKnown = browser !== null && isSameSecret(hashSecret(browser), link.browserHash);
    if (!isKnown && !confirmed) return { outcome: 'confirm' as const, view };
    if (!(await end('connected'))) return { outcome: 'ended' as const, view };
    const verifier = ctx.keyring.decrypt(link.sealed, exchangeSeal(link.id)).toString();
    // A choice that was made in another browser may not be the user's own.
    const scopes = confirmed ? chosenScopes(view.provider, query.getAll(shareField)) : link.scopes;
    return { link: { ...link, scopes }, verifier, view };
  });
}

interface Consent {
  externalId: string;
  tokens: Tokens;
}

async function redeem(
  ctx: Context,
  access: ProviderAccess,
  link: ConnectLink,
  { query, verifier }: { query: URLSearchParams; verifier: string },
): Promise<Consent> {
  const { provider, app, environment } = access;
  const tokens = await provider.oauth.redeem(openAppApi(ctx, access), {
    code: query.get('code') ?? '',
    redirectUri: callbackUrl(ctx),
    verifier,
    returned: query,
  });
  const api = openUserApi(ctx, {
    ...access,
    db: ctx.db,
    externalId: '',
    tokens: lone(tokens),
    priority: 'person',
    people: 1,
  });
  const externalId = await provider.oauth.enroll(api, {
    memberId: formatId('dev', link.deviceId),
    pushUrl: pushUrlOf(ctx, environment, provider.id, app),
  });
  const scopes = tokens.scopes ?? (await provider.oauth.readScopes?.(api)) ?? null;
  return { externalId, tokens: { ...tokens, scopes } };
}

/** A source for newly issued tokens. If the provider rejects one, a refresh cannot help. */
function lone(tokens: Tokens): TokenSource {
  return {
    current: () => tokens,
    renew: () => Promise.reject(new Error('the provider rejected a new token')),
  };
}

/** Returns false if the user or the device was deleted in the meantime. */
function keepConsent(
  ctx: Context,
  link: ConnectLink,
  provider: Provider,
  { externalId, tokens }: Consent,
  origin: Return['origin'],
): Promise<boolean> {
  const { userId, deviceId, accountId, environment, scopes } = link;
  return asTenant(ctx.db, link, async (tx) => {
    if (!(await userExists(tx, link, userId))) return false;
    await lockDevice(tx, userId, deviceId);
    if (!(await lockUser(tx, link, userId))) return false;
    const device = await findDeviceOfProvider(tx, userId, provider.id);
    if (device?.id !== deviceId) return false;
    await authorizeConnection(tx, link, {
      externalId,
      tokens: sealTokens(ctx.keyring, deviceId, tokens),
      historyDays: historyDaysOf(ctx, provider),
      scopes,
    });
    await touchUser(tx, userId);
    // A suspect device never sent a `device.disconnected` event.
    if (device.status === 'pending' || device.status === 'expired') {
      const event = { id: ctx.newId(), accountId, environment, userId, deviceId, metrics: [] };
      await insertEvents(tx, [{ ...event, type: 'device.connected', data: { provider: provider.id } }]);
    }
    await record(ctx, tx, actingAsPerson(link, origin), {
      action: 'device.authorized',
      target: { type: 'device', id: formatId('dev', deviceId) },
      data: { provider: provider.id, scopes: scopesOf(scopes) },
      person: userId,
    });
    return true;
  });
}

function actingAsPerson(link: ConnectLink, origin: Return['origin']): Acting {
  const { accountId, environment, deviceId } = link;
  return { accountId, environment, actor: { type: 'person', id: formatId('dev', deviceId), ...origin } };
}

/** The number of days of history to fetch before the connection. */
function historyDaysOf({ config, clock }: Context, { historyDays }: Provider): number {
  const { historyFromMs } = config.sync;
  return historyFromMs === null
    ? historyDays
    : Math.min(historyDays, Math.ceil((clock.now() - historyFromMs) / dayMs));
}
