import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { Queryable } from '../store/database/database.ts';
import { queues } from './queues.ts';

const schema = 'pgboss';

/** Migrates the job tables and queues to this version. Runs as owner, under the migration lock of the caller. */
export async function migrateJobs(owner: pg.Pool): Promise<void> {
  const boss = new PgBoss({ db: asDatabase(owner), schema, supervise: false, schedule: false });
  boss.on('error', () => {}); // start() and createQueue() report their failures themselves
  await boss.start();
  for (const [name, { policy, ...options }] of Object.entries(queues)) {
    // The policy of a queue cannot change; every other option is updated.
    if ((await boss.getQueue(name)) === null) await boss.createQueue(name, { policy, ...options });
    else await boss.updateQueue(name, options);
  }
  await boss.stop({ graceful: false });
  // As in the migrations: a vacuum that waits to truncate a table holds up the event feed.
  const tables = await owner.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r'`,
  );
  for (const { name } of tables.rows) await owner.query(`ALTER TABLE ${name} SET (vacuum_truncate = off)`);
  await owner.query(`GRANT USAGE ON SCHEMA ${schema} TO tributary_operator, tributary_service`);
  await owner.query(
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO tributary_operator`,
  );
  await owner.query(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} TO tributary_operator`);
  // The service enqueues in the transaction of a change: it reads the queue and inserts a job or joins a waiting one. It cannot end a job.
  await owner.query(`GRANT SELECT ON ${schema}.queue TO tributary_service`);
  await owner.query(`GRANT SELECT, INSERT, UPDATE ON ${schema}.job_common TO tributary_service`);
  await owner.query(`GRANT EXECUTE ON FUNCTION ${schema}.job_now() TO tributary_service`);
}

/** The job queue of a node that processes jobs. Reports every response of the database. */
export function createBoss(operator: pg.Pool, onResponse?: () => void): PgBoss {
  return new PgBoss({
    db: asDatabase(operator, onResponse),
    schema,
    migrate: false,
    createSchema: false,
    // A dead worker is detected by its heartbeat: after ten seconds without one, checked every second.
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    // Caches which keys are active. A stale cache would delay their next jobs, or others behind them.
    queueCacheIntervalSeconds: 1,
    // How often finished jobs are checked for deletion.
    maintenanceIntervalSeconds: 3_600,
    monitorVacuum: false,
  });
}

/** The job queue of a node that only enqueues jobs. */
export function createFeeder(operator: pg.Pool): PgBoss {
  return new PgBoss({
    db: asDatabase(operator),
    schema,
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
  });
}

/** Age in seconds of the oldest job per queue that is due and not started. */
export async function findJobLag(operator: pg.Pool): Promise<Map<string, number>> {
  const result = await operator.query<{ name: string; lag: number }>(
    // Of each queue, the oldest thousand by creation, which pg-boss has an index for: the cost has a bound, however many jobs wait.
    `SELECT q.name, extract(epoch FROM now() - min(due.start_after))::float8 AS lag FROM ${schema}.queue q, LATERAL (
       SELECT start_after FROM ${schema}.job_common j
       WHERE j.name = q.name AND j.state < 'active' AND NOT j.blocked AND j.start_after <= now()
       ORDER BY j.priority DESC, j.created_on LIMIT 1000
     ) AS due GROUP BY q.name`,
  );
  const lags = new Map<string, number>(Object.keys(queues).map((name) => [name, 0]));
  for (const { name, lag } of result.rows) if (lags.has(name)) lags.set(name, lag);
  return lags;
}

/** Whether a job with this key is waiting or running. */
export async function findUnfinishedJob(db: Queryable, name: string, key: string): Promise<boolean> {
  const result = await db.query({
    text: `SELECT FROM ${schema}.job_common WHERE name = $1 AND singleton_key = $2 AND state <= 'active' LIMIT 1`,
    values: [name, key],
  });
  return result.rowCount === 1;
}

/** Adapts a pool or a transaction to the interface of pg-boss. */
export function asDatabase(db: Queryable, onResponse: () => void = () => {}) {
  return {
    async executeSql(text: string, values?: unknown[]) {
      const result = await db.query({ text, ...(values && { values }) });
      onResponse();
      return result;
    },
  };
}
