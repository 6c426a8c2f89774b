import type { Context } from '../../context.ts';
import { createSigningKeyPair } from '../../credentials/user-token.ts';
import { inTransaction } from '../../store/database.ts';
import { insertSigningKey, listValidSigningKeys, lockSigningKeys } from '../../store/signing-keys.ts';

/** Makes the first signing key of a new database, once, however many nodes start together. */
export async function ensureSigningKey(ctx: Pick<Context, 'operator' | 'keyring' | 'newId'>): Promise<void> {
  await inTransaction(ctx.operator, async (tx) => {
    await lockSigningKeys(tx);
    const keys = await listValidSigningKeys(tx, 0);
    if (keys.length > 0) return;
    const id = ctx.newId();
    await insertSigningKey(tx, { id, ...createSigningKeyPair(ctx.keyring, id) });
  });
}
