import type { Context } from '../../context.ts';
import { createSigningKeyPair } from '../../credentials/user-token.ts';
import { wholeService, type Actor } from '../../store/audit/actor.ts';
import { inTransaction } from '../../store/database/database.ts';
import {
  deleteRetiredSigningKeys,
  insertSigningKey,
  lockSigningKeys,
  retireSigningKeys,
} from '../../store/accounts/signing-keys.ts';
import { record } from '../audit/record.ts';
import { announceCredentialChange } from '../credentials/announce-change.ts';

/** Creates a new signing key. Tokens signed with the previous one stay valid until they expire, or end immediately with `revokeOld`. */
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
