import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import type { Actor } from '../../store/audit/actor.ts';
import { findApiKey } from '../../store/accounts/api-keys.ts';
import { revokeApiKey } from '../api-keys/revoke-api-key.ts';

/** Revokes a key of an account. Throws `not_found`, also for a key of another account. */
export async function revokeKey(
  ctx: Pick<Context, 'operator' | 'broker' | 'newId'>,
  actor: Actor,
  { accountId, keyId }: { accountId: string; keyId: string },
): Promise<void> {
  const key = await findApiKey(ctx.operator, keyId);
  if (key?.accountId !== accountId) throw new ApiError('not_found');
  await revokeApiKey(ctx, actor, keyId);
}
