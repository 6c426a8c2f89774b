import { scopes as allScopes, type Scope } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { createSecretToken, hashSecret } from '../../credentials/secret-token.ts';
import { insertMobileToken } from '../../store/mobile-tokens.ts';
import { asTenant, type Tenant } from '../../store/tenant.ts';
import { userNotFound } from '../users/user-not-found.ts';

const lifetimeSeconds = 300;

/** Issues a single-use token of five minutes for the Mobile SDK; throws `not_found` when there is no such user. */
export async function createMobileToken(
  ctx: Context,
  tenant: Tenant,
  input: { userId: string; scopes?: readonly Scope[] | undefined },
): Promise<{ token: string; expiresAt: string }> {
  const token = createSecretToken('mt_');
  const expiresAt = await asTenant(ctx.db, tenant, (tx) =>
    insertMobileToken(tx, tenant, {
      hash: hashSecret(token),
      userId: input.userId,
      scopes: input.scopes ?? allScopes,
      lifetimeSeconds,
    }),
  );
  if (expiresAt === null) throw userNotFound(formatId('user', input.userId));
  return { token, expiresAt };
}
