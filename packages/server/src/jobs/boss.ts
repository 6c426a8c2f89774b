import type pg from 'pg';
import { PgBoss } from 'pg-boss';

const schema = 'pgboss';

/** Every queue; made by migration, so that a running node needs no right to change tables. */
export const queues = {
  sweepCredentials: 'sweep-credentials',
} as const;

/** Brings the job tables and queues up to this version. Runs as owner, under the lock of the migrations' caller. */
export async function migrateJobs(owner: pg.Pool): Promise<void> {
  const boss = new PgBoss({ db: asDatabase(owner), schema, supervise: false, schedule: false });
  boss.on('error', () => {}); // start() and createQueue() report their failures themselves
  await boss.start();
  for (const name of Object.values(queues)) {
    if ((await boss.getQueue(name)) === null)
      await boss.createQueue(name, { retryLimit: 3, retryBackoff: true });
  }
  await boss.stop({ graceful: false });
  await owner.query(`GRANT USAGE ON SCHEMA ${schema} TO tributary_operator`);
  await owner.query(
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO tributary_operator`,
  );
  await owner.query(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} TO tributary_operator`);
}

/** The job queue of a running node. */
export function createBoss(operator: pg.Pool): PgBoss {
  return new PgBoss({ db: asDatabase(operator), schema, migrate: false, createSchema: false });
}

/** Age in seconds of the oldest job of each queue that is due and not started. */
export async function findJobLag(operator: pg.Pool): Promise<Map<string, number>> {
  const result = await operator.query<{ name: string; lag: number }>(
    `SELECT name, extract(epoch FROM now() - min(start_after))::float8 AS lag FROM ${schema}.job
     WHERE state IN ('created', 'retry') AND start_after <= now() GROUP BY name`,
  );
  const lags = new Map<string, number>(Object.values(queues).map((name) => [name, 0]));
  for (const { name, lag } of result.rows) if (lags.has(name)) lags.set(name, lag);
  return lags;
}

function asDatabase(pool: pg.Pool) {
  return { executeSql: (text: string, values?: unknown[]) => pool.query(text, values) };
}
