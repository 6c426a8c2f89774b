import { setTimeout as sleep } from 'node:timers/promises';
import type { RunStack } from '@tributary/rig';

interface Observed {
  longestTransactionMs: number;
  /** Sessions of background work that ended. */
  lostSessions: number;
}

const sampleIntervalMs = 50;

/** Samples the transactions and background sessions of the service until stopped. */
export async function watchDatabase({ admin }: RunStack): Promise<{ stop: () => Promise<Observed> }> {
  const before = await listSessions(admin);
  let longestTransactionMs = 0;
  const stopping = new AbortController();
  const sampling = (async () => {
    while (!stopping.signal.aborted) {
      const { rows } = await admin.query<{ longest: number | null }>({
        text: `SELECT (extract(epoch FROM max(clock_timestamp() - xact_start)) * 1000)::float8 AS longest FROM pg_stat_activity
               WHERE datname = current_database() AND application_name LIKE 'tributary%'`,
      });
      longestTransactionMs = Math.max(longestTransactionMs, rows[0]!.longest ?? 0);
      await sleep(sampleIntervalMs);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await sampling;
      const after = new Set(await listSessions(admin));
      return { longestTransactionMs, lostSessions: before.filter((one) => !after.has(one)).length };
    },
  };
}

async function listSessions(admin: RunStack['admin']): Promise<string[]> {
  const { rows } = await admin.query<{ session: string }>({
    text: `SELECT pid || ' ' || backend_start AS session FROM pg_stat_activity WHERE datname = current_database()
           AND application_name ~ '^tributary-(ingest|history|delivery|sequencer|auditor|sync)-'`,
  });
  return rows.map(({ session }) => session);
}
