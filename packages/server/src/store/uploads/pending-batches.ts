import type { ConsolidationSettings, Timezones } from '@tributary/domain';
import type { Environment } from '../database/tenant.ts';
import type { Queryable } from '../database/database.ts';
import { timezonesOf } from '../users/timezones.ts';
import { positions } from './batch-priority.ts';
import type { BatchKind } from './raw-batches.ts';

/** A pending batch, with what is needed to process it. Its user is locked until the transaction ends. */
export interface ClaimedBatch {
  partition: number;
  position: number;
  userId: string;
  batchId: string;
  attempts: number;
  /** If earlier transactions processed a part of the batch: all items, items done, then new, updated, duplicate and deleted readings. */
  progress: number[] | null;
  createdMs: number;
  receivedMs: number;
  scopes: number;
  /** Null when a node of an earlier version wrote the batch. */
  kind: BatchKind | null;
  /** Compressed, then encrypted. */
  payload: Buffer;
  /** The account in whose share it was taken: none if a node of an earlier version wrote it. */
  queuedFor: string;
  accountId: string;
  environment: Environment;
  timezones: Timezones;
  settings: ConsolidationSettings;
  heightCm: number | null;
  devices: DeviceRow[] | null;
}

/** number, id, provider, stable id, on device, kind, connected at, described at, described by, removed at. Times are in milliseconds. */
export type DeviceRow = [
  number,
  string,
  string,
  string | null,
  boolean,
  string,
  number | null,
  number | null,
  string | null,
  number | null,
];

export const epochMs = (column: string) => `round(date_part('epoch', ${column}) * 1000)`;

/** The height in a profile, in cm. */
export const profileHeight = (profile: string) => `(${profile} ->> 'height_cm')::float8`;

export const devicesOf = (
  userId: string,
) => `(SELECT json_agg(json_build_array(d.device_no, d.id, d.provider, d.stable_id, d.on_device, d.kind,
  ${epochMs('d.connected_at')}, ${epochMs('d.described_at')}, d.described_by, ${epochMs('d.removed_at')}))
  FROM devices d WHERE d.user_id = ${userId})`;

/** The batches to take and the limit of packed bytes per transaction, so that a few large uploads cannot exhaust memory. */
export const takes = {
  all: { ...positions.all, bytes: 4 * 1024 * 1024 },
  ingest: { ...positions.live, bytes: 4 * 1024 * 1024 },
  history: { ...positions.history, bytes: 32 * 1024 },
} as const;

/** The result of a scan of waiting batches: those to process, and those skipped because their user is locked or being erased. */
export interface Scan {
  batches: ClaimedBatch[];
  passedOver: Pick<ClaimedBatch, 'partition' | 'position'>[];
}

/** The account before all others in the order of ids. Rows of earlier versions have it. */
export const noAccount = '00000000-0000-0000-0000-000000000000';

/**
 * Takes the oldest batches of these partitions, one of each account in turn, beginning after the account `after`. Reads only waiting batches, however
 * many accounts there are. The user lock ensures one writer per user's layers. Users that are locked already are skipped.
 */
export async function takePendingBatches(
  tx: Queryable,
  partitions: readonly number[],
  limit: number,
  { from, to, bytes }: (typeof takes)[keyof typeof takes] = takes.all,
  after: string = noAccount,
): Promise<Scan> {
  const result = await tx.query<
    ClaimedBatch | (Pick<ClaimedBatch, 'partition' | 'position'> & { payload: null })
  >({
    name: 'pending-batches/take',
    text: `WITH chosen AS MATERIALIZED (
             SELECT *, row_number() OVER (ORDER BY round, account_id <= $6, account_id) AS rank FROM (
               SELECT partition, position, user_id, batch_id, attempts, progress, bytes, account_id,
                 row_number() OVER (PARTITION BY account_id ORDER BY position) AS round
               FROM pending_batches WHERE partition = ANY ($1::int2[]) AND position >= $4 AND position < $5
                 AND (retry_at IS NULL OR retry_at <= tributary_now())
             ) AS waiting WHERE round <= $2 ORDER BY rank LIMIT $2
           ), oldest AS MATERIALIZED (
             SELECT * FROM (SELECT *, sum(bytes) OVER (ORDER BY rank) - bytes AS bytes_before FROM chosen) AS candidate WHERE bytes_before < $3
           ), locked AS MATERIALIZED (
             SELECT user_id FROM (SELECT DISTINCT user_id FROM oldest) AS own WHERE try_lock_user(user_id)
           )
           SELECT o.partition, o.position, o.user_id AS "userId", o.batch_id AS "batchId", o.attempts, o.progress,
             ${epochMs('b.created_at')} AS "createdMs", ${epochMs('b.received_at')} AS "receivedMs", b.scopes, b.kind, b.payload,
             o.account_id AS "queuedFor", u.account_id AS "accountId", u.environment, u.timezones, u.settings, u."heightCm", ${devicesOf('o.user_id')} AS devices
           FROM oldest o LEFT JOIN locked l USING (user_id)
           LEFT JOIN LATERAL (SELECT account_id, environment, ${timezonesOf('own')} AS timezones, consolidation AS settings, status,
                                ${profileHeight('own.profile')} AS "heightCm" FROM users own
                              WHERE id = l.user_id OFFSET 0) AS u ON true
           LEFT JOIN LATERAL (SELECT * FROM raw_batches r WHERE r.user_id = l.user_id AND r.batch_id = o.batch_id
                              AND u.status <> 'deleting' OFFSET 0) AS b ON true
           ORDER BY o.rank`,
    values: [partitions, limit, bytes, from, to, after],
  });
  const scan: Scan = { batches: [], passedOver: [] };
  for (const row of result.rows) {
    if (row.payload === null) scan.passedOver.push(row);
    else scan.batches.push(row);
  }
  return scan;
}

/**
 * Number of pending batches, up to a limit. Excludes history by default, so that uploads are not rejected because years of history are still being
 * read.
 */
export async function countPendingBatches(
  db: Queryable,
  upTo: number,
  { to }: (typeof takes)[keyof typeof takes] = takes.ingest,
): Promise<number> {
  const result = await db.query<{ waiting: number }>({
    name: 'pending-batches/count',
    text: `SELECT count(*) AS waiting FROM (SELECT FROM pending_batches WHERE position < $2 LIMIT $1) AS few`,
    values: [upTo, to],
  });
  return result.rows[0]!.waiting;
}

/** The pending batches other than history, up to a limit. */
export interface Waiting {
  count: number;
  /** The accounts that have more than their share of `fairCount`, if all accounts with pending batches had the same. */
  greedyAccounts: string[];
}

export async function countPendingByAccount(
  db: Queryable,
  upTo: number,
  fairCount: number,
): Promise<Waiting> {
  const result = await db.query<Waiting>({
    name: 'pending-batches/count-by-account',
    text: `SELECT coalesce(sum(waiting), 0)::int8 AS count,
             coalesce(array_agg(account_id::text) FILTER (WHERE waiting * accounts > $3::int8), '{}') AS "greedyAccounts"
           FROM (SELECT account_id, count(*) AS waiting, count(*) OVER () AS accounts
                 FROM (SELECT account_id FROM pending_batches WHERE position < $2 LIMIT $1) AS oldest GROUP BY account_id) AS counted`,
    values: [upTo, takes.ingest.to, fairCount],
  });
  return result.rows[0]!;
}

/** Returns the number of batches that were still pending. */
export async function deletePendingBatches(
  tx: Queryable,
  batches: readonly Pick<ClaimedBatch, 'partition' | 'position'>[],
): Promise<number> {
  const result = await tx.query({
    name: 'pending-batches/delete',
    text: `DELETE FROM pending_batches p USING unnest($1::int2[], $2::int8[]) AS d (partition, position)
           WHERE p.partition = d.partition AND p.position = d.position`,
    values: [batches.map(({ partition }) => partition), batches.map(({ position }) => position)],
  });
  return result.rowCount ?? 0;
}

/** Stores how far a batch was processed. What remains is processed by other transactions. */
export async function updateProgress(
  tx: Queryable,
  { partition, position }: Pick<ClaimedBatch, 'partition' | 'position'>,
  { progress, attempts }: { progress: readonly number[]; attempts: number },
): Promise<void> {
  await tx.query({
    name: 'pending-batches/progress',
    text: `UPDATE pending_batches SET progress = $3, attempts = $4 WHERE partition = $1 AND position = $2`,
    values: [partition, position, progress, attempts],
  });
}

/** Makes batches of a user start over, because its normalized layer is rebuilt without their parts. */
export async function resetProgress(tx: Queryable, userId: string): Promise<void> {
  await tx.query({
    text: `UPDATE pending_batches SET progress = NULL
           WHERE partition = partition_of($1) AND user_id = $1 AND progress IS NOT NULL`,
    values: [userId],
  });
}

type Attempted = Pick<ClaimedBatch, 'partition' | 'position' | 'attempts'>;

/** Records attempts to process batches, outside the transaction that processed them. */
export async function recordAttempts(
  db: Queryable,
  batches: readonly Attempted[],
  pauseMs: number,
): Promise<void> {
  await db.query({
    text: `UPDATE pending_batches p SET attempts = d.attempts + 1,
             retry_at = CASE WHEN $4 > 0 THEN tributary_now() + $4 * interval '1 millisecond' END
           FROM unnest($1::int2[], $2::int8[], $3::int2[]) AS d (partition, position, attempts)
           WHERE p.partition = d.partition AND p.position = d.position`,
    values: [...columnsOf(batches), pauseMs],
  });
}

/** The same while a transaction processes them. Skips the batches that it has already changed, because their rows are locked until it ends. */
export async function recordRunningAttempts(db: Queryable, batches: readonly Attempted[]): Promise<void> {
  await db.query({
    text: `UPDATE pending_batches p SET attempts = d.attempts + 1
           FROM (SELECT q.partition, q.position, a.attempts
                 FROM unnest($1::int2[], $2::int8[], $3::int2[]) AS a (partition, position, attempts)
                 JOIN pending_batches q ON q.partition = a.partition AND q.position = a.position
                 FOR UPDATE OF q SKIP LOCKED) AS d
           WHERE p.partition = d.partition AND p.position = d.position`,
    values: columnsOf(batches),
  });
}

function columnsOf(batches: readonly Attempted[]): number[][] {
  return [
    batches.map(({ partition }) => partition),
    batches.map(({ position }) => position),
    batches.map(({ attempts }) => attempts),
  ];
}

/** Postpones skipped batches a little, so that they do not block others. */
export async function deferPendingBatches(
  tx: Queryable,
  batches: Scan['passedOver'],
  pauseMs: number,
): Promise<void> {
  await tx.query({
    name: 'pending-batches/defer',
    text: `UPDATE pending_batches p SET retry_at = tributary_now() + $3 * interval '1 millisecond'
           FROM unnest($1::int2[], $2::int8[]) AS d (partition, position)
           WHERE p.partition = d.partition AND p.position = d.position`,
    values: [batches.map(({ partition }) => partition), batches.map(({ position }) => position), pauseMs],
  });
}
