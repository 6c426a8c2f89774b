import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.ts';

/** The progress of a backfill: calls made, documents received, and batches processed. */
export interface Progress {
  atMs: number;
  calls: number;
  documents: number;
  /** Number of user-days read. */
  days: number;
  batches: number;
  /** Users with history left to read. */
  left: number;
}

/** Resumes the backfill. Only its history is due. */
export async function resumeBackfill({ run, backfilling }: World): Promise<void> {
  await run.admin.query({
    text: `UPDATE connections SET history_due_at = tributary_now() - interval '1 day'
           WHERE account_id = $1 AND history_due_at IS NULL AND history_from < history_to`,
    values: [backfilling.id],
  });
  await run.admin.query({
    text: `UPDATE accounts SET status = 'active' WHERE id = $1`,
    values: [backfilling.id],
  });
}

/** Suspends the backfill's account, which the service then skips. Resolves when none of its work is running anymore. */
export async function holdBackfill({ run, backfilling }: World): Promise<void> {
  await run.admin.query({
    text: `UPDATE accounts SET status = 'suspended' WHERE id = $1`,
    values: [backfilling.id],
  });
  // Pending work of the backfill would affect the next measurement. Rows that a worker has locked are skipped, because the worker deletes them
  // itself.
  const forget = ['pending_batches', 'stale_scores'].map(
    (table) => `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
                  SELECT w.ctid FROM ${table} w JOIN users u ON u.id = w.user_id WHERE u.account_id = $1 FOR UPDATE OF w SKIP LOCKED))`,
  );
  let quiet = 0;
  for (let polls = 0; quiet < 4; polls += 1) {
    if (polls > 400) throw new Error('The work left by the backfill was not processed within 80 s.');
    await sleep(200);
    for (const text of forget) await run.admin.query({ text, values: [backfilling.id] });
    const { rows } = await run.admin.query<{ left: number }>(
      `SELECT (SELECT count(*) FROM pending_batches) + (SELECT count(*) FROM stale_scores WHERE due_at <= tributary_now() + interval '1 second')
         + (SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
            WHERE l.locktype = 'advisory' AND a.application_name LIKE 'tributary-sync-%') AS left`,
    );
    quiet = rows[0]!.left === 0 ? quiet + 1 : 0;
  }
}

export async function readProgress({ run, backfilling }: World): Promise<Progress> {
  const { rows } = await run.admin.query<Omit<Progress, 'atMs'>>({
    text: `WITH own AS MATERIALIZED (SELECT * FROM connections WHERE account_id = $1)
           SELECT (SELECT coalesce(sum(calls), 0)::float8 FROM sync_runs r JOIN own USING (device_id) WHERE r.cause = 'history') AS calls,
             (SELECT coalesce(sum(documents), 0)::float8 FROM sync_runs r JOIN own USING (device_id) WHERE r.cause = 'history') AS documents,
             (SELECT coalesce(sum(extract(epoch FROM history_top - history_to)), 0)::float8 / 86400 FROM own) AS days,
             (SELECT count(*)::float8 FROM receipts r JOIN own USING (user_id)) AS batches,
             (SELECT count(*)::float8 FROM own WHERE history_from < history_to) AS left`,
    values: [backfilling.id],
  });
  return { atMs: performance.now(), ...rows[0]! };
}
