import type { Context } from '../../context.ts';
import type { Actor } from '../../store/audit/actor.ts';
import { inTransaction } from '../../store/database/database.ts';
import type { Environment } from '../../store/database/tenant.ts';
import { announceCredentialChange } from '../credentials/announce-change.ts';
import { insertApiKey, type NewApiKey } from './insert-api-key.ts';

/** Creates the key of an environment and revokes the previous one. Every node applies the change within a second. */
export async function createApiKey(
  ctx: Pick<Context, 'operator' | 'newId' | 'broker'>,
  actor: Actor,
  input: { accountId: string; environment: Environment },
): Promise<NewApiKey> {
  const acting = { accountId: input.accountId, environment: null, actor };
  const key = await inTransaction(ctx.operator, (tx) => insertApiKey(ctx, tx, acting, input.environment));
  announceCredentialChange(ctx);
  return key;
}
