import type { Context } from '../../context.ts';
import { createSigningKeyPair } from '../../credentials/user-token.ts';
import { inTransaction } from '../../store/database.ts';
import {
  deleteRetiredSigningKeys,
  insertSigningKey,
  listValidSigningKeys,
  lockSigningKeys,
  retireSigningKeys,
} from '../../store/signing-keys.ts';
import { announceCredentialChange } from '../credentials/announce-change.ts';

type Needs = Pick<Context, 'operator' | 'keyring' | 'newId' | 'broker'>;

/** Makes a new signing key. Tokens of the one before stay valid until their end, or end now with `revokeOld`. */
export async function rotateSigningKey(ctx: Needs, input: { revokeOld: boolean }): Promise<string> {
  const id = await inTransaction(ctx.operator, async (tx) => {
    await lockSigningKeys(tx);
    await retireSigningKeys(tx);
    if (input.revokeOld) await deleteRetiredSigningKeys(tx, 0);
    const fresh = ctx.newId();
    await insertSigningKey(tx, { id: fresh, ...createSigningKeyPair(ctx.keyring, fresh) });
    return fresh;
  });
  announceCredentialChange(ctx);
  return id;
}

/** Makes the first signing key of a new database, once, however many nodes start together. */
export async function ensureSigningKey(ctx: Needs): Promise<void> {
  await inTransaction(ctx.operator, async (tx) => {
    await lockSigningKeys(tx);
    const keys = await listValidSigningKeys(tx, 0);
    if (keys.length > 0) return;
    const id = ctx.newId();
    await insertSigningKey(tx, { id, ...createSigningKeyPair(ctx.keyring, id) });
  });
}
