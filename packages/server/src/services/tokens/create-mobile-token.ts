import { scopes as allScopes, type Scope } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { createSecretToken, hashSecret } from '../../credentials/secret-token.ts';
import type { Acting } from '../../store/acting.ts';
import { insertMobileToken } from '../../store/mobile-tokens.ts';
import { asTenant } from '../../store/tenant.ts';
import { record } from '../audit/record.ts';
import { userNotFound } from '../users/user-not-found.ts';

const lifetimeSeconds = 300;

/** Issues a single-use token of five minutes for the Mobile SDK; throws `not_found` when there is no such user. */
export async function createMobileToken(
  ctx: Context,
  acting: Acting,
  input: { userId: string; scopes?: readonly Scope[] | undefined },
): Promise<{ token: string; expiresAt: string }> {
  const token = createSecretToken('mt_');
  const { userId, scopes = allScopes } = input;
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
