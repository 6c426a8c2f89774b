import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './world.ts';

/** How far a backfill has come: what it asked for, what it was told, and how much of it is in the answers. */
export interface Progress {
  atMs: number;
  calls: number;
  documents: number;
  /** Days of people that were read. */
  days: number;
  batches: number;
  /** People with something left to be read. */
  left: number;
}

/** Lets the backfill go on: nothing but its history is due. */
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

/** Holds the backfill: accounts that are suspended are left alone. Ends when nothing of it is under way any more. */
export async function holdBackfill({ run, backfilling }: World): Promise<void> {
  await run.admin.query({
    text: `UPDATE accounts SET status = 'suspended' WHERE id = $1`,
    values: [backfilling.id],
  });
  // What was read and is not in the answers yet would fall into what is measured next, and nobody asks for it here.
  const forget = ['pending_batches', 'stale_scores'].map(
    (table) => `DELETE FROM ${table} w USING users u WHERE u.id = w.user_id AND u.account_id = $1`,
  );
  let quiet = 0;
  for (let looks = 0; quiet < 4; looks += 1) {
    if (looks > 400) throw new Error('what the backfill left behind is not worked on within 80 s');
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
