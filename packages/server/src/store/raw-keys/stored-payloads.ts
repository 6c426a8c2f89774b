import { joined } from '../database/joined-bytes.ts';
import type { Queryable } from '../database/database.ts';

interface BatchKey {
  userId: string;
  batchId: string;
}

/** A stored payload without its content. */
export interface PayloadHead extends BatchKey {
  /** Its first byte. */
  marker: Buffer;
  bytes: number;
}

export interface StoredPayload extends BatchKey {
  payload: Buffer;
}

/** The number of raw batches, as the planner estimates it. */
export async function estimateBatches(db: Queryable): Promise<number> {
  const result = await db.query<{ count: number }>({
    text: `SELECT greatest(reltuples, 0)::float8 AS count FROM pg_class WHERE oid = 'raw_batches'::regclass`,
  });
  return result.rows[0]!.count;
}

/** Payloads after the given batch, in key order. */
export async function listPayloadHeads(
  db: Queryable,
  after: BatchKey,
  limit: number,
): Promise<PayloadHead[]> {
  const result = await db.query<PayloadHead>({
    text: `SELECT user_id AS "userId", batch_id AS "batchId", substring(payload FOR 1) AS marker, octet_length(payload) AS bytes
           FROM raw_batches WHERE (user_id, batch_id) > ($1, $2) ORDER BY user_id, batch_id LIMIT $3`,
    values: [after.userId, after.batchId, limit],
  });
  return result.rows;
}

export async function listPayloads(db: Queryable, batches: readonly BatchKey[]): Promise<StoredPayload[]> {
  const result = await db.query<StoredPayload>({
    text: `SELECT b.user_id AS "userId", b.batch_id AS "batchId", b.payload
           FROM unnest($1::uuid[], $2::uuid[]) AS wanted (user_id, batch_id) JOIN raw_batches b USING (user_id, batch_id)`,
    values: [batches.map(({ userId }) => userId), batches.map(({ batchId }) => batchId)],
  });
  return result.rows;
}

/** Replaces payloads by their encrypted form. Skips those that were deleted or encrypted in the meantime. Returns their number. */
export async function replacePayloads(
  db: Queryable,
  replacements: readonly (StoredPayload & { encrypted: Buffer })[],
): Promise<number> {
  const { bytes, starts, lengths } = joined(replacements.map(({ encrypted }) => encrypted));
  const result = await db.query({
    text: `UPDATE raw_batches b SET payload = substring($3::bytea FROM r.start FOR r.length)
           FROM unnest($1::uuid[], $2::uuid[], $4::int4[], $5::int4[], $6::int4[]) AS r (user_id, batch_id, start, length, marker)
           WHERE b.user_id = r.user_id AND b.batch_id = r.batch_id AND get_byte(b.payload, 0) = r.marker`,
    values: [
      replacements.map(({ userId }) => userId),
      replacements.map(({ batchId }) => batchId),
      bytes,
      starts,
      lengths,
      replacements.map(({ payload }) => payload[0]),
    ],
  });
  return result.rowCount ?? 0;
}
