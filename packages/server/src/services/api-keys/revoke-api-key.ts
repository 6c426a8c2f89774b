import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Actor } from '../../store/acting.ts';
import { findApiKey, revokeApiKey as revoke, type ApiKey } from '../../store/api-keys.ts';
import { inTransaction } from '../../store/database.ts';
import { record } from '../audit/record.ts';
import { announceCredentialChange } from '../credentials/announce-change.ts';

/** Ends a key on every node within a second; null when there is none with this id. */
export async function revokeApiKey(
  ctx: Pick<Context, 'operator' | 'broker' | 'newId'>,
  actor: Actor,
  id: string,
): Promise<ApiKey | null> {
  const key = await inTransaction(ctx.operator, async (tx) => {
    const revoked = await revoke(tx, id);
    if (!revoked) return findApiKey(tx, id);
    const { accountId, environment, hint } = revoked;
    await record(
      ctx,
      tx,
      { accountId, environment: null, actor },
      {
        action: 'api_key.revoked',
        target: { type: 'api_key', id: formatId('key', id) },
        data: { environment, hint },
      },
    );
    return revoked;
  });
  announceCredentialChange(ctx);
  return key;
}
