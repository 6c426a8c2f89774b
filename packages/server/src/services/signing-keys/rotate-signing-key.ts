import type { Context } from '../../context.ts';
import { createSigningKeyPair } from '../../credentials/user-token.ts';
import { inTransaction } from '../../store/database.ts';
import {
  deleteRetiredSigningKeys,
  insertSigningKey,
  lockSigningKeys,
  retireSigningKeys,
} from '../../store/signing-keys.ts';
import { announceCredentialChange } from '../credentials/announce-change.ts';

/** Makes a new signing key. Tokens of the one before stay valid until their end, or end now with `revokeOld`. */
export async function rotateSigningKey(
  ctx: Pick<Context, 'operator' | 'keyring' | 'newId' | 'broker'>,
  input: { revokeOld: boolean },
): Promise<string> {
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
