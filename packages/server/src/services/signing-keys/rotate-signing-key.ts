import type { Context } from '../../context.ts';
import { createSigningKeyPair } from '../../credentials/user-token.ts';
import { wholeService, type Actor } from '../../store/acting.ts';
import { inTransaction } from '../../store/database.ts';
import {
  deleteRetiredSigningKeys,
  insertSigningKey,
  lockSigningKeys,
  retireSigningKeys,
} from '../../store/signing-keys.ts';
import { record } from '../audit/record.ts';
import { announceCredentialChange } from '../credentials/announce-change.ts';

/** Makes a new signing key. Tokens of the one before stay valid until their end, or end now with `revokeOld`. */
export async function rotateSigningKey(
  ctx: Pick<Context, 'operator' | 'keyring' | 'newId' | 'broker'>,
  actor: Actor,
  input: { revokeOld: boolean },
): Promise<string> {
  const id = await inTransaction(ctx.operator, async (tx) => {
    await lockSigningKeys(tx);
    await retireSigningKeys(tx);
    if (input.revokeOld) await deleteRetiredSigningKeys(tx, 0);
    const fresh = ctx.newId();
    await insertSigningKey(tx, { id: fresh, ...createSigningKeyPair(ctx.keyring, fresh) });
    await record(
      ctx,
      tx,
      { accountId: wholeService, environment: null, actor },
      {
        action: 'signing_key.rotated',
        target: { type: 'signing_key', id: fresh },
        data: { revoke_old: input.revokeOld },
      },
    );
    return fresh;
  });
  announceCredentialChange(ctx);
  return id;
}
