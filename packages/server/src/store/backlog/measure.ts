import { partitionCount } from '../../partitions.ts';
import type { Queryable } from '../database/database.ts';
import { takes } from '../uploads/pending-batches.ts';

/** Items are counted up to this number, so that a measurement costs the same however long a queue is. */
export const mostItems = 10_000;

/** What waits in a queue. */
export interface QueueState {
  /** Items that could be processed now, up to `mostItems`. */
  items: number;
  /** How long the oldest of them has waited; 0 if there is none. */
  ageSeconds: number;
}

/** The age of a time; 0 if there is none, or if it is in the future. */
const age = (time: string, now = 'tributary_now()') =>
  `greatest(0, coalesce(extract(epoch FROM ${now} - ${time}), 0))::float8`;

async function measure(
  db: Queryable,
  query: { name: string; text: string; values: unknown[] },
): Promise<QueueState> {
  const { rows } = await db.query<QueueState>(query);
  return rows[0]!;
}

interface UploadState extends QueueState {
  /** The items of the account that has the most. */
  largestAccountItems: number;
}

/** Committed batches that are not processed yet. The first of each partition is found by its key. */
export async function measureBatches(db: Queryable, kind: 'live' | 'history'): Promise<UploadState> {
  const { from, to } = kind === 'live' ? takes.ingest : takes.history;
  const { rows } = await db.query<UploadState>({
    name: 'backlog/batches',
    text: `WITH waiting AS MATERIALIZED (
             SELECT account_id FROM pending_batches WHERE position >= $1 AND position < $2 LIMIT $3
           ), oldest AS MATERIALIZED (
             SELECT min(b.received_at) AS at
             FROM generate_series(0, $4::int4 - 1) AS p (partition), LATERAL (
               SELECT q.user_id, q.batch_id FROM pending_batches q
               WHERE q.partition = p.partition::int2 AND q.position >= $1 AND q.position < $2 ORDER BY q.position LIMIT 1
             ) AS first JOIN raw_batches b ON b.user_id = first.user_id AND b.batch_id = first.batch_id
           )
           SELECT (SELECT count(*) FROM waiting) AS items, ${age('oldest.at')} AS "ageSeconds",
             coalesce((SELECT count(*) FROM waiting GROUP BY account_id ORDER BY count(*) DESC LIMIT 1), 0) AS "largestAccountItems"
           FROM oldest`,
    values: [from, to, mostItems, partitionCount],
  });
  return rows[0]!;
}

/** Pushes of providers that are stored but not dispatched yet. Those that failed wait for another attempt and have a counter. */
export function measurePushes(db: Queryable): Promise<QueueState> {
  return measure(db, {
    name: 'backlog/pushes',
    text: `SELECT (SELECT count(*) FROM (SELECT FROM provider_pushes WHERE failures = 0 LIMIT $1) AS counted) AS items,
             ${age('(SELECT received_at FROM provider_pushes WHERE failures = 0 ORDER BY id LIMIT 1)')} AS "ageSeconds"`,
    values: [mostItems],
  });
}

/**
 * Connections that are due: for new data, or for history. Finds the first of each account by its index, as workers do, and leaves out those that no
 * worker would take.
 */
export function measureConnections(db: Queryable, priority: 'live' | 'history'): Promise<QueueState> {
  const due = priority === 'live' ? 'due_at' : 'history_due_at';
  const ofAccount = `SELECT c.${due} AS at FROM connections c JOIN users u ON u.id = c.user_id AND u.status = 'active'
                     WHERE c.account_id = a.id AND c.${due} <= tributary_now() ORDER BY c.${due}`;
  return measure(db, {
    name: `backlog/connections-${priority}`,
    text: `SELECT (SELECT count(*) FROM (
               SELECT FROM accounts a, LATERAL (${ofAccount} LIMIT $1) AS due WHERE a.status = 'active' LIMIT $1
             ) AS counted) AS items,
             ${age(`(SELECT min(due.at) FROM accounts a, LATERAL (${ofAccount} LIMIT 1) AS due WHERE a.status = 'active')`)} AS "ageSeconds"`,
    values: [mostItems],
  });
}

/** Users whose scores are due. */
export function measureScores(db: Queryable): Promise<QueueState> {
  return measure(db, {
    name: 'backlog/scores',
    text: `SELECT (SELECT count(*) FROM (SELECT FROM stale_scores WHERE due_at <= tributary_now() LIMIT $1) AS counted) AS items,
             ${age('(SELECT due_at FROM stale_scores ORDER BY due_at LIMIT 1)')} AS "ageSeconds"`,
    values: [mostItems],
  });
}

/** Erasures that were requested and have no receipt yet. */
export function measureErasures(db: Queryable): Promise<QueueState> {
  return measure(db, {
    name: 'backlog/erasures',
    text: `SELECT (SELECT count(*) FROM (SELECT FROM erasures WHERE finished_at IS NULL LIMIT $1) AS counted) AS items,
             ${age('(SELECT requested_at FROM erasures WHERE finished_at IS NULL ORDER BY requested_at LIMIT 1)')} AS "ageSeconds"`,
    values: [mostItems],
  });
}

/** Requested refreshes of provider tokens. */
export function measureRenewals(db: Queryable): Promise<QueueState> {
  return measure(db, {
    name: 'backlog/renewals',
    text: `SELECT (SELECT count(*) FROM (SELECT FROM token_renewals WHERE failure IS NULL LIMIT $1) AS counted) AS items,
             ${age('(SELECT requested_at FROM token_renewals WHERE failure IS NULL ORDER BY requested_at LIMIT 1)', 'clock_timestamp()')} AS "ageSeconds"`,
    values: [mostItems],
  });
}
