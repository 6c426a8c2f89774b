import { defaultScopes, type Scope } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { createSecretToken, hashSecret } from '../../credentials/secret-token.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { insertMobileToken } from '../../store/uploads/mobile-tokens.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { record } from '../audit/record.ts';
import { userNotFound } from '../users/user-not-found.ts';

const lifetimeSeconds = 300;

/** Issues a single-use token for the Mobile SDK, valid for five minutes. Throws `not_found` if the user does not exist. */
export async function createMobileToken(
  ctx: Context,
  acting: Acting,
  input: { userId: string; scopes?: readonly Scope[] | undefined },
): Promise<{ token: string; expiresAt: string }> {
  const token = createSecretToken('mt_');
  const { userId, scopes = defaultScopes } = input;
  return asTenant(ctx.db, acting, async (tx) => {
    const stored = { hash: hashSecret(token), userId, scopes, lifetimeSeconds };
    const expiresAt = await insertMobileToken(tx, acting, stored);
    if (expiresAt === null) throw userNotFound(formatId('user', userId));
    await record(ctx, tx, acting, {
      action: 'mobile_token.created',
      target: { type: 'user', id: formatId('user', userId) },
      data: { scopes },
    });
    return { token, expiresAt };
  });
}
