import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { signUserToken } from '../../credentials/user-token.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { userExists } from '../../store/users/users.ts';
import { record } from '../audit/record.ts';
import { userNotFound } from '../users/user-not-found.ts';

/** Issues a JWT for one user, valid for one hour. Throws `not_found` if the user does not exist. */
export async function createUserToken(
  ctx: Context,
  acting: Acting,
  userId: string,
): Promise<{ token: string; expiresAt: string }> {
  const [exists, keys] = await Promise.all([
    userExists(ctx.db, acting, userId),
    ctx.credentials.listSigningKeys(),
  ]);
  if (!exists) throw userNotFound(formatId('user', userId));
  const key = keys.find((candidate) => candidate.retiredAt === null);
  if (!key) throw new Error('no active signing key');
  const { accountId, environment } = acting;
  const subject = { tenant: { accountId, environment }, userId };
  const { token, tokenId, expiresAt } = await signUserToken(ctx.keyring, key, ctx.clock, subject);
  // The owner of an API key can create tokens at any time, so only the key is audited. A dashboard user has no key.
  if (acting.actor.type === 'operator')
    await asTenant(ctx.db, acting, (tx) =>
      record(ctx, tx, acting, {
        action: 'user_token.created',
        target: { type: 'user', id: formatId('user', userId) },
        data: { token_id: formatId('tok', tokenId), expires_at: expiresAt },
      }),
    );
  return { token, expiresAt };
}
