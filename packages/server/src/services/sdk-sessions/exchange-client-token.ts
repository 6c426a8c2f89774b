import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { createRefreshFamily, deriveRefreshToken } from '../../credentials/refresh-token.ts';
import { hashSecret, isSecretToken } from '../../credentials/secret-token.ts';
import { formatId } from '../../ids.ts';
import type { Actor } from '../../store/audit/actor.ts';
import type { Queryable } from '../../store/database/database.ts';
import { spendMobileToken } from '../../store/uploads/mobile-tokens.ts';
import { insertSession } from '../../store/uploads/sdk-sessions.ts';
import {
  lockSessionByClientToken,
  startRefreshFamily,
  type PresentedSession,
} from '../../store/uploads/sdk-session-tokens.ts';
import { asBearer, becomeTenant } from '../../store/database/tenant.ts';
import { lockUser } from '../../store/users/users.ts';
import { record } from '../audit/record.ts';
import { issueCredentials, type SdkCredentials } from './issue-credentials.ts';

/** Exchanges a client token or a mobile token for credentials, once. Throws `invalid_token` for any invalid token. */
export async function exchangeClientToken(
  ctx: Context,
  origin: Pick<Actor, 'address' | 'requestId'>,
  token: string,
): Promise<SdkCredentials> {
  const isMobileToken = isSecretToken('mt_', token);
  if (!isMobileToken && !isSecretToken('ct_', token)) throw new ApiError('invalid_token');
  const hash = hashSecret(token);
  return asBearer(ctx.db, hash, async (tx) => {
    const session = isMobileToken
      ? await startSessionOfMobileToken(ctx, tx, hash)
      : await findSessionOfClientToken(tx, hash);
    if (!session) throw new ApiError('invalid_token');

    const family = createRefreshFamily();
    const keyVersion = ctx.keyring.newestVersion;
    const place = { sessionId: session.id, generation: 1, keyVersion };
    const refreshToken = deriveRefreshToken(ctx.keyring, family, place);
    const refreshedAt = await startRefreshFamily(tx, session.tenant, session.id, {
      familyHash: hashSecret(family),
      hash: hashSecret(refreshToken),
      keyVersion,
    });
    await record(
      ctx,
      tx,
      { ...session.tenant, actor: { type: 'sdk_session', id: session.id, ...origin } },
      {
        action: 'sdk_session.started',
        target: { type: 'sdk_session', id: session.id },
        data: {
          user: formatId('user', session.userId),
          scopes: session.scopes,
          by: isMobileToken ? 'mobile_token' : 'client_token',
        },
        person: session.userId,
      },
    );
    return issueCredentials(ctx, session, { refreshToken, refreshedAt, keyVersion });
  });
}

/** The first caller locks the session and spends the token. Later callers find no session with it. */
async function findSessionOfClientToken(tx: Queryable, hash: Buffer): Promise<PresentedSession | null> {
  const session = await lockSessionByClientToken(tx, hash);
  if (session) await becomeTenant(tx, session.tenant);
  return session;
}

async function startSessionOfMobileToken(
  ctx: Context,
  tx: Queryable,
  hash: Buffer,
): Promise<PresentedSession | null> {
  const spent = await spendMobileToken(tx, hash);
  if (!spent) return null;
  const { tenant, userId, scopes } = spent;
  await becomeTenant(tx, tenant);
  if (!(await lockUser(tx, tenant, userId))) return null;
  const unknown = { platform: null, installationId: null, appVersion: null, deviceModel: null };
  const session = { id: ctx.newId(), tenant, userId, scopes };
  await insertSession(tx, tenant, { ...session, ...unknown });
  return session;
}
