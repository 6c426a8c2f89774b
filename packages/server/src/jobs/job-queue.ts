import type pg from 'pg';
import type { Logger } from 'pino';
import type { Queryable } from '../store/database.ts';
import { asDatabase, createFeeder } from './boss.ts';
import { gatherSeconds, type JobData, type JobName } from './queues.ts';

/** Where a change puts the work that follows from it. */
export interface JobQueue extends AsyncDisposable {
  /**
   * Puts a job in with the transaction of the change: it starts after the commit, or never. Changes with the same key share the job that
   * waits; one that runs already gets a successor.
   */
  enqueue<Name extends JobName>(
    tx: Queryable,
    name: Name,
    job: { key: string; data: JobData[Name] },
  ): Promise<void>;
}

/** More than two tries take another job that comes in, and starts, between every time. */
const mostTries = 20;

export async function openJobQueue(operator: pg.Pool, log: Logger): Promise<JobQueue> {
  const boss = createFeeder(operator);
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'));
  await boss.start();
  return {
    async enqueue(tx, name, { key, data }) {
      for (let tries = 0; tries < mostTries; tries += 1) {
        // Not `send` alone: it would be absorbed by a waiting job that may start before our commit. This locks that job until then, and
        // leaves it the time it starts at, which `upsert` would put off with every change.
        const { updated } = await boss.update(name, data, { singletonKey: key, db: asDatabase(tx) });
        if (updated > 0) return;
        const id = await boss.send(name, data, {
          singletonKey: key,
          startAfter: gatherSeconds[name] ?? 0,
          db: asDatabase(tx),
        });
        if (id !== null) return;
        // Another change has put a job in meanwhile, which can be joined, unless it has started.
      }
      throw new Error(`no place in queue ${name}`);
    },
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false }),
  };
}
