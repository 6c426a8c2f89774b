import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { signUserToken } from '../../credentials/user-token.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { userExists } from '../../store/users/users.ts';
import { userNotFound } from '../users/user-not-found.ts';

/** Issues a JWT for one user, valid for one hour. Throws `not_found` if the user does not exist. */
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
  if (!key) throw new Error('no active signing key');
  return signUserToken(ctx.keyring, key, ctx.clock, { tenant, userId });
}
