import type { Context } from '../../context.ts';
import { createSigningKeyPair } from '../../credentials/user-token.ts';
import { inTransaction } from '../../store/database/database.ts';
import {
  insertSigningKey,
  listValidSigningKeys,
  lockSigningKeys,
} from '../../store/accounts/signing-keys.ts';

/** Creates the first signing key of a new database, only once even if several nodes start together. */
export async function ensureSigningKey(ctx: Pick<Context, 'operator' | 'keyring' | 'newId'>): Promise<void> {
  await inTransaction(ctx.operator, async (tx) => {
    await lockSigningKeys(tx);
    const keys = await listValidSigningKeys(tx, 0);
    if (keys.length > 0) return;
    const id = ctx.newId();
    await insertSigningKey(tx, { id, ...createSigningKeyPair(ctx.keyring, id) });
  });
}
