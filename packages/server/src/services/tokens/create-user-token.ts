import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { signUserToken } from '../../credentials/user-token.ts';
import type { Tenant } from '../../store/tenant.ts';
import { userExists } from '../../store/users.ts';
import { userNotFound } from '../users/user-not-found.ts';

/** Issues a JWT of one hour for one user; throws `not_found` when there is no such user. */
export async function createUserToken(
  ctx: Context,
  tenant: Tenant,
  userId: string,
): Promise<{ token: string; expiresAt: string }> {
  const [exists, keys] = await Promise.all([
    userExists(ctx.db, tenant, userId),
    ctx.credentials.listSigningKeys(),
  ]);
  if (!exists) throw userNotFound(formatId('user', userId));
  const key = keys.find((candidate) => candidate.retiredAt === null);
  if (!key) throw new Error('there is no signing key in use');
  return signUserToken(ctx.keyring, key, ctx.clock, { tenant, userId });
}
