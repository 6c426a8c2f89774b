import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Actor } from '../../store/audit/actor.ts';
import { findApiKey, revokeApiKey as revoke, type ApiKey } from '../../store/accounts/api-keys.ts';
import { inTransaction } from '../../store/database/database.ts';
import { record } from '../audit/record.ts';
import { announceCredentialChange } from '../credentials/announce-change.ts';

/** Revokes a key. Every node rejects it within a second. Returns null if no key has this id. */
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
