import type pg from 'pg';
import type { Logger } from 'pino';
import type { Queryable } from '../store/database/database.ts';
import { asDatabase, createFeeder, findUnfinishedJob } from './boss.ts';
import { gatherSeconds, type JobData, type JobName } from './queues.ts';

/** Enqueues the work that follows from a change. */
export interface JobQueue extends AsyncDisposable {
  /**
   * Enqueues a job in the transaction of the change: it starts after the commit, or never. Changes with the same key share the waiting job. A job
   * that is already running gets a successor.
   */
  enqueue<Name extends JobName>(
    tx: Queryable,
    name: Name,
    job: { key: string; data: JobData[Name] },
  ): Promise<void>;
  /** Whether a job with this key is waiting or running, as the transaction sees it. */
  hasUnfinished(tx: Queryable, name: JobName, key: string): Promise<boolean>;
}

/** More than two attempts are needed only if another job is enqueued and started each time. */
const mostTries = 20;

export async function openJobQueue(operator: pg.Pool, log: Logger): Promise<JobQueue> {
  const boss = createFeeder(operator);
  boss.on('error', (error) => log.warn({ err: error }, 'job queue error'));
  await boss.start();
  return {
    async enqueue(tx, name, { key, data }) {
      for (let tries = 0; tries < mostTries; tries += 1) {
        // Not only `send`: a waiting job would absorb it and might start before our commit. This update locks that job until then and keeps its start
        // time, which `upsert` would postpone with every change.
        const { updated } = await boss.update(name, data, { singletonKey: key, db: asDatabase(tx) });
        if (updated > 0) return;
        const id = await boss.send(name, data, {
          singletonKey: key,
          startAfter: gatherSeconds[name] ?? 0,
          db: asDatabase(tx),
        });
        if (id !== null) return;
        // Another change has enqueued a job in the meantime. It can be joined unless it has started.
      }
      throw new Error(`could not add a job to queue ${name}`);
    },
    hasUnfinished: findUnfinishedJob,
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false }),
  };
}
