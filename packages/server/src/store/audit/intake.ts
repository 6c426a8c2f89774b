import type { AuditAction } from '@tributary/contract';
import type { ActingForAccount } from './actor.ts';
import type { Queryable } from '../database/database.ts';

/** Personal text that belongs to an entry and is stored apart from it. */
export interface AuditText {
  person: string;
  salt: Buffer;
  /** JSON. */
  text: string;
  hash: Buffer;
}

export interface NewAuditEntry {
  id: string;
  action: AuditAction;
  targetType: string;
  targetId: string;
  address: string | null;
  /** JSON. */
  data: string;
  text: AuditText | null;
}

/** Writes an entry in the transaction of the change that it records. */
export async function insertAuditEntry(
  tx: Queryable,
  { accountId, environment, actor }: ActingForAccount,
  entry: NewAuditEntry,
): Promise<void> {
  const { text } = entry;
  // Sent together, so that auditing costs the change one round trip.
  await Promise.all([
    tx.query({
      name: 'audit/insert',
      text: `INSERT INTO audit_intake (id, account_id, environment, at, actor_type, actor_id, action, target_type, target_id,
               address, request_id, data, person, text_hash)
             VALUES ($1, $2, $3, date_trunc('milliseconds', tributary_now()), $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      values: [
        entry.id,
        accountId,
        environment,
        actor.type,
        actor.id,
        entry.action,
        entry.targetType,
        entry.targetId,
        entry.address,
        actor.requestId,
        entry.data,
        text?.person ?? null,
        text?.hash ?? null,
      ],
    }),
    text &&
      tx.query({
        name: 'audit/insert-text',
        text: `INSERT INTO audit_texts (entry_id, account_id, environment, person, salt, text) VALUES ($1, $2, $3, $4, $5, $6)`,
        values: [entry.id, accountId, environment, text.person, text.salt, text.text],
      }),
  ]);
}
