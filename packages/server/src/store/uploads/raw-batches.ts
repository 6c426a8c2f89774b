import type { Queryable } from '../database/database.ts';

/** The content of a raw batch's payload: an upload of the Mobile SDK, or provider documents. */
export type BatchKind = 'upload' | 'documents';

/** One upload, ready to be committed. */
export interface Upload {
  accountId: string;
  userId: string;
  sessionId: string;
  batchId: string;
  receivedMs: number;
  createdMs: number;
  /** The session's scopes as bits, in the order of the contract's list. */
  scopes: number;
  digest: Buffer;
  /** Compressed, then encrypted. */
  payload: Buffer;
}

/**
 * Commits uploads of any number of users in one statement, each together with its pending state. Inserts an upload only if its session is active at
 * this moment. Uploads missing from the result were not accepted: their session has ended or their id was used before. All payloads are sent as one
 * parameter, since an array of them would have to be sent as text.
 */
export async function insertUploads(db: Queryable, uploads: readonly Upload[]): Promise<Set<string>> {
  const users = `{${[...new Set(uploads.map(({ userId }) => userId))].join(',')}}`;
  const ends: number[] = [];
  let end = 0;
  for (const { payload } of uploads) ends.push((end += payload.length));
  const result = await db.query<{ key: string }>({
    name: 'raw-batches/insert',
    text: `WITH taken AS (
             INSERT INTO raw_batches (user_id, batch_id, received_at, created_at, scopes, digest, kind, payload)
             SELECT o.user_id, o.batch_id, o.received_at, o.created_at, o.scopes, o.digest, 'upload', o.payload
             FROM (SELECT set_config('tributary.user_ids', $1, true) AS users OFFSET 0) AS scope,
             LATERAL (
               SELECT i.user_id, i.batch_id, to_timestamp(i.received_ms / 1000.0) AS received_at,
                 to_timestamp(i.created_ms / 1000.0) AS created_at, i.scopes,
                 substring($8::bytea FROM 32 * i.at::int - 31 FOR 32) AS digest,
                 substring($9::bytea FROM i.payload_end - i.payload_length + 1 FOR i.payload_length) AS payload
               FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::float8[], $6::float8[], $7::int2[], $10::int4[], $11::int4[])
                 WITH ORDINALITY AS i (user_id, session_id, batch_id, received_ms, created_ms, scopes, payload_end, payload_length, at)
               JOIN sdk_sessions s ON s.id = i.session_id AND s.user_id = i.user_id AND s.status = 'active'
               WHERE scope.users IS NOT NULL OFFSET 0
             ) AS o
             ON CONFLICT (user_id, batch_id) DO NOTHING
             RETURNING user_id, batch_id, octet_length(payload) AS bytes
           ), waiting AS (
             INSERT INTO pending_batches (partition, user_id, batch_id, bytes, account_id)
             SELECT partition_of(user_id), user_id, batch_id, bytes, ($12::uuid[])[array_position($2::uuid[], user_id)] FROM taken
           )
           SELECT user_id || '/' || batch_id AS key FROM taken`,
    values: [
      users,
      uploads.map(({ userId }) => userId),
      uploads.map(({ sessionId }) => sessionId),
      uploads.map(({ batchId }) => batchId),
      uploads.map(({ receivedMs }) => receivedMs),
      uploads.map(({ createdMs }) => createdMs),
      uploads.map(({ scopes }) => scopes),
      Buffer.concat(uploads.map(({ digest }) => digest)),
      Buffer.concat(uploads.map(({ payload }) => payload)),
      ends,
      uploads.map(({ payload }) => payload.length),
      uploads.map(({ accountId }) => accountId),
    ],
  });
  return new Set(result.rows.map(({ key }) => key));
}

/** The key of an upload in the result of `insertUploads`. */
export function uploadKey({ userId, batchId }: Pick<Upload, 'userId' | 'batchId'>): string {
  return `${userId}/${batchId}`;
}

/** The digest of a batch that this user sent before, or null. */
export async function findBatchDigest(
  db: Queryable,
  userId: string,
  batchId: string,
): Promise<Buffer | null> {
  const result = await db.query<{ digest: Buffer }>({
    name: 'raw-batches/digest',
    text: `SELECT b.digest FROM (SELECT set_config('tributary.user_id', $1, true) AS user_id OFFSET 0) AS scope,
           LATERAL (SELECT digest FROM raw_batches
                    WHERE user_id = $1::uuid AND batch_id = $2 AND scope.user_id IS NOT NULL OFFSET 0) AS b`,
    values: [userId, batchId],
  });
  return result.rows[0]?.digest ?? null;
}
