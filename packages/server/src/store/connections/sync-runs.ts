import type { SyncReason, SyncState } from '@tributary/contract';
import type { Queryable } from '../database/database.ts';
import { epochMs } from '../uploads/pending-batches.ts';
import { formatProgress, type PollProgress } from './poll-progress.ts';

type RunCause = 'connected' | 'push' | 'poll' | 'history';

export interface RunReport {
  id: string;
  deviceId: string;
  userId: string;
  cause: RunCause;
  outcome: string;
  startedMs: number;
  calls: number;
  documents: number;
  news: number;
  span: { fromMs: number; toMs: number } | null;
}

/** Number of runs retained per connection. */
const maxRuns = 50;

/** Records a run and deletes the oldest ones. */
export async function insertRun(tx: Queryable, run: RunReport): Promise<void> {
  await tx.query({
    name: 'sync-runs/insert',
    text: `INSERT INTO sync_runs (id, device_id, user_id, cause, outcome, started_at, ended_at, calls, documents, news, from_at, to_at)
           VALUES ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), tributary_now(), $7, $8, $9, to_timestamp($10::float8 / 1000), to_timestamp($11::float8 / 1000))`,
    values: [
      run.id,
      run.deviceId,
      run.userId,
      run.cause,
      run.outcome,
      run.startedMs,
      run.calls,
      run.documents,
      run.news,
      run.span?.fromMs ?? null,
      run.span?.toMs ?? null,
    ],
  });
  await tx.query({
    name: 'sync-runs/forget',
    text: `DELETE FROM sync_runs WHERE device_id = $1 AND id < (SELECT id FROM sync_runs WHERE device_id = $1 ORDER BY id DESC OFFSET ${maxRuns - 1} LIMIT 1)`,
    values: [run.deviceId],
  });
}

/** Records the result of a live run. Returns false and changes nothing if the run is over. */
export async function finishRun(
  tx: Queryable,
  run: { deviceId: string; runNo: number },
  result: {
    ok: boolean;
    failure: string | null;
    isNews: boolean;
    isDeep: boolean;
    /** When to poll next; null leaves it unchanged. */
    pollMs: number | null;
    /** When to run again; null for the next poll. */
    dueMs: number | null;
    /** What an unfinished poll has read. */
    pollProgress: PollProgress;
  },
): Promise<boolean> {
  const updated = await tx.query({
    name: 'connections/finish-run',
    text: `UPDATE connections c SET last_run_at = tributary_now(),
             last_success_at = CASE WHEN $3 THEN tributary_now() ELSE last_success_at END,
             last_news_at = CASE WHEN $5 THEN tributary_now() ELSE last_news_at END,
             refusals = CASE WHEN $3 THEN 0 ELSE refusals END, failures = CASE WHEN $3 THEN 0 ELSE least(failures + 1, 30000) END, failure = $4,
             deep_at = CASE WHEN $6 THEN tributary_now() ELSE deep_at END,
             poll_at = coalesce(to_timestamp($8::float8 / 1000), poll_at), poll_streams = $9,
             due_at = CASE WHEN tokens IS NULL THEN NULL
                           WHEN EXISTS (SELECT FROM sync_notices n WHERE n.device_id = c.device_id) AND $3 THEN tributary_now()
                           ELSE coalesce(to_timestamp($7::float8 / 1000), to_timestamp($8::float8 / 1000), poll_at) END
           WHERE device_id = $1 AND run_no = $2`,
    values: [
      run.deviceId,
      run.runNo,
      result.ok,
      result.failure,
      result.isNews,
      result.isDeep,
      result.dueMs,
      result.pollMs,
      formatProgress(result.pollProgress),
    ],
  });
  return updated.rowCount === 1;
}

/** Records the result of a history run: how far it got, and when it continues. */
export async function finishHistory(
  tx: Queryable,
  run: { deviceId: string; runNo: number },
  result: { toMs: number; streams: readonly string[]; days: number; dueMs: number | null },
): Promise<boolean> {
  const updated = await tx.query({
    name: 'connections/finish-history',
    text: `UPDATE connections SET history_began_at = coalesce(history_began_at, tributary_now()),
             history_to = greatest(history_from, to_timestamp($3::float8 / 1000)), history_streams = $4, history_days = $6,
             history_due_at = CASE WHEN tokens IS NULL THEN NULL ELSE to_timestamp($5::float8 / 1000) END
           WHERE device_id = $1 AND run_no = $2`,
    values: [run.deviceId, run.runNo, result.toMs, result.streams, result.dueMs, result.days],
  });
  return updated.rowCount === 1;
}

/** Adds these days to the history to read, along with any unread rest, newest first. */
export async function reopenHistory(
  tx: Queryable,
  { deviceId }: { deviceId: string },
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<void> {
  await tx.query({
    name: 'connections/reopen-history',
    text: `UPDATE connections SET history_began_at = NULL, history_streams = '{}', history_due_at = tributary_now(),
             history_top = to_timestamp($3::float8 / 1000), history_to = to_timestamp($3::float8 / 1000),
             history_from = least(to_timestamp($2::float8 / 1000), CASE WHEN history_due_at IS NOT NULL THEN history_from END)
           WHERE device_id = $1 AND tokens IS NOT NULL`,
    values: [deviceId, fromMs, toMs],
  });
}

/** The sync state of a connection, as shown to its user. */
export interface SyncRecord {
  provider: string;
  status: 'pending' | 'active' | 'suspect' | 'expired';
  syncState: SyncState | null;
  syncReason: SyncReason | null;
  lastPushAt: string | null;
  lastNewsAt: string | null;
  pollAt: string | null;
  historyDue: boolean;
  historyBeganMs: number | null;
  historyTopMs: number | null;
  historyFromMs: number | null;
  historyToMs: number | null;
  runs: {
    cause: RunCause;
    outcome: string;
    startedAt: string;
    endedAt: string;
    calls: number;
    documents: number;
    news: number;
    from: string | null;
    to: string | null;
  }[];
}

/** Reads the sync state inside the tenant's transaction and scopes it to the user; null if the user has no such connection. */
export async function findSyncRecord(
  tx: Queryable,
  userId: string,
  deviceId: string,
  runs: number,
): Promise<SyncRecord | null> {
  await tx.query({ text: `SELECT set_config('tributary.user_id', $1, true)`, values: [userId] });
  const result = await tx.query<SyncRecord>({
    name: 'sync-runs/record',
    text: `SELECT c.provider, d.status, d.sync_state AS "syncState", d.sync_reason AS "syncReason", c.last_push_at AS "lastPushAt",
             c.last_news_at AS "lastNewsAt", c.poll_at AS "pollAt", c.history_due_at IS NOT NULL AS "historyDue",
             ${epochMs('c.history_began_at')} AS "historyBeganMs", ${epochMs('c.history_top')} AS "historyTopMs",
             ${epochMs('c.history_from')} AS "historyFromMs", ${epochMs('c.history_to')} AS "historyToMs",
             (SELECT coalesce(json_agg(r ORDER BY r.id DESC), '[]') FROM (
                SELECT id, cause, outcome, iso_timestamp(started_at) AS "startedAt", iso_timestamp(ended_at) AS "endedAt", calls, documents, news,
                  iso_timestamp(from_at) AS "from", iso_timestamp(to_at) AS "to"
                FROM sync_runs WHERE device_id = c.device_id ORDER BY id DESC LIMIT $3) AS r) AS runs
           FROM connections c JOIN devices d ON d.user_id = c.user_id AND d.id = c.device_id
           WHERE c.user_id = $1 AND c.device_id = $2 AND d.removed_at IS NULL`,
    values: [userId, deviceId, runs],
  });
  return result.rows[0] ?? null;
}
