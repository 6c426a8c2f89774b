import type { Context } from '../../context.ts';
import { inTransaction } from '../../store/database.ts';
import type { Environment } from '../../store/tenant.ts';
import { announceCredentialChange } from '../credentials/announce-change.ts';
import { insertApiKey, type NewApiKey } from './insert-api-key.ts';

/** Makes the key of an environment and revokes the one before, on every node within a second. */
export async function createApiKey(
  ctx: Pick<Context, 'operator' | 'newId' | 'broker'>,
  input: { accountId: string; environment: Environment },
): Promise<NewApiKey> {
  const key = await inTransaction(ctx.operator, (tx) =>
    insertApiKey(tx, ctx.newId(), input.accountId, input.environment),
  );
  announceCredentialChange(ctx);
  return key;
}
