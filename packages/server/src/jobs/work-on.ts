import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import type { JobData, JobName } from './queues.ts';

const longestPauseSeconds = 300;

/** Works on the jobs of a queue. One that fails comes back after a pause, twice as long each time up to five minutes, without end. */
export async function workOn<Name extends JobName>(
  ctx: Context,
  boss: PgBoss,
  name: Name,
  options: { atOnce: number },
  work: (data: JobData[Name]) => Promise<void>,
): Promise<void> {
  const settings = {
    localConcurrency: options.atOnce,
    pollingIntervalSeconds: 0.5,
    // While more waits, the next is taken at once.
    burstWhenReadyExceeds: 1,
    heartbeatRefreshSeconds: 3,
  };
  await boss.work<JobData[Name]>(name, settings, async (jobs) => {
    for (const job of jobs) {
      try {
        await work(job.data);
      } catch (error) {
        ctx.log.error({ err: error, queue: name, attempt: job.retryCount + 1 }, 'job failed; it comes back');
        ctx.metrics.jobFailures.inc({ queue: name });
        // Without the error itself: what PostgreSQL says can quote data, and the row stays for a while.
        await boss.fail(name, job, { reason: nameOf(error) });
        const pause = Math.min(longestPauseSeconds, 2 ** Math.min(job.retryCount, 16));
        await boss.update(name, undefined, { id: job.id, startAfter: pause });
      }
    }
  });
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
