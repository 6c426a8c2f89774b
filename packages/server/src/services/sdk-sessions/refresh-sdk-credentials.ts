import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { deriveRefreshToken, refreshFamilyOf } from '../../credentials/refresh-token.ts';
import { hashSecret } from '../../credentials/secret-token.ts';
import { formatId } from '../../ids.ts';
import type { Actor } from '../../store/audit/actor.ts';
import type { Queryable } from '../../store/database/database.ts';
import { revokeActiveSession } from '../../store/uploads/sdk-sessions.ts';
import {
  lockSessionByFamily,
  replaceRefreshToken,
  type RefreshState,
} from '../../store/uploads/sdk-session-tokens.ts';
import { asBearer, becomeTenant } from '../../store/database/tenant.ts';
import { record } from '../audit/record.ts';
import { issueCredentials, refreshTokenSeconds, type SdkCredentials } from './issue-credentials.ts';

/** How long a lost response can be repeated. */
const replaySeconds = 30;

export interface RefreshInput {
  refreshToken: string;
  /** Identifies the attempt. Null if the client sends none. */
  requestId: string | null;
}

/**
 * Refreshes the credentials of a session. Throws `invalid_token`. Reusing an earlier token revokes the session, because two parties have the token
 * and one of them is not the app. The only exception is the token that was just replaced, sent with the same `request_id` or again without one: then
 * the response was lost. A refresh is not audited, because it changes nothing that anyone decided. A revocation is.
 */
export async function refreshSdkCredentials(
  ctx: Context,
  origin: Pick<Actor, 'address' | 'requestId'>,
  input: RefreshInput,
): Promise<SdkCredentials> {
  const family = refreshFamilyOf(input.refreshToken);
  if (!family) throw new ApiError('invalid_token');
  const familyHash = hashSecret(family);
  // A revocation must be committed, so failure is a return value here and becomes an error outside the transaction.
  const credentials = await asBearer(ctx.db, familyHash, async (tx) => {
    const state = await lockSessionByFamily(tx, familyHash);
    if (!state || state.ageSeconds >= refreshTokenSeconds) return null;
    const hash = hashSecret(input.refreshToken);
    if (hash.equals(state.currentHash)) return renew(ctx, tx, family, state, input.requestId);
    if (isLostResponse(state, hash, input.requestId)) return reissueCredentials(ctx, family, state);
    await becomeTenant(tx, state.tenant);
    await revokeActiveSession(tx, state.tenant, state);
    await record(
      ctx,
      tx,
      { ...state.tenant, actor: { type: 'sdk_session', id: state.id, ...origin } },
      {
        action: 'sdk_session.revoked',
        target: { type: 'sdk_session', id: state.id },
        data: { user: formatId('user', state.userId), reason: 'token_reused' },
        person: state.userId,
      },
    );
    return null;
  });
  if (!credentials) throw new ApiError('invalid_token');
  return credentials;
}

async function renew(
  ctx: Context,
  tx: Queryable,
  family: Buffer,
  state: RefreshState,
  requestId: string | null,
): Promise<SdkCredentials> {
  const keyVersion = ctx.keyring.newestVersion;
  const generation = state.generation + 1;
  const refreshToken = deriveRefreshToken(ctx.keyring, family, {
    sessionId: state.id,
    generation,
    keyVersion,
  });
  await becomeTenant(tx, state.tenant);
  const refreshedAt = await replaceRefreshToken(tx, state.tenant, state.id, {
    generation,
    hash: hashSecret(refreshToken),
    keyVersion,
    requestId,
  });
  return issueCredentials(ctx, state, { refreshToken, refreshedAt, keyVersion });
}

function isLostResponse(state: RefreshState, hash: Buffer, requestId: string | null): boolean {
  const isJustReplaced = state.previousHash?.equals(hash) === true && state.ageSeconds <= replaySeconds;
  // Both are null for a client that sends none.
  return isJustReplaced && requestId === state.requestId;
}

function reissueCredentials(ctx: Context, family: Buffer, state: RefreshState): SdkCredentials {
  const { id: sessionId, generation, keyVersion, refreshedAt } = state;
  const refreshToken = deriveRefreshToken(ctx.keyring, family, { sessionId, generation, keyVersion });
  return issueCredentials(ctx, state, { refreshToken, refreshedAt, keyVersion });
}
