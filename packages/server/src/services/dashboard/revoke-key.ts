import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import type { Actor } from '../../store/audit/actor.ts';
import { findKeyOfAccount } from '../../store/accounts/api-keys.ts';
import { revokeApiKey } from '../api-keys/revoke-api-key.ts';

/** Revokes a key of an account. Throws `not_found`, also for a key of another account. */
export async function revokeKey(
  ctx: Pick<Context, 'db' | 'operator' | 'broker' | 'newId'>,
  actor: Actor,
  { accountId, keyId }: { accountId: string; keyId: string },
): Promise<void> {
  if (!(await findKeyOfAccount(ctx.db, accountId, keyId))) throw new ApiError('not_found');
  await revokeApiKey(ctx, actor, keyId);
}
