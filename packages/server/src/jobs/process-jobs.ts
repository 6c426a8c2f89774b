import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import type { JobData, JobName } from '../queue/queues.ts';

const longestPauseSeconds = 300;

/** Processes the jobs of a queue. A failed job is retried indefinitely, with exponential backoff of up to five minutes. */
export async function processJobs<Name extends JobName>(
  ctx: Context,
  boss: PgBoss,
  name: Name,
  options: { atOnce: number },
  work: (data: JobData[Name]) => Promise<void>,
): Promise<void> {
  const settings = {
    localConcurrency: options.atOnce,
    pollingIntervalSeconds: 0.5,
    // Fetch the next job immediately while more are waiting.
    burstWhenReadyExceeds: 1,
    heartbeatRefreshSeconds: 3,
  };
  await boss.work<JobData[Name]>(name, settings, async (jobs) => {
    for (const job of jobs) {
      try {
        await work(job.data);
      } catch (error) {
        ctx.log.error(
          { err: error, queue: name, attempt: job.retryCount + 1 },
          'job failed and will be retried',
        );
        ctx.metrics.jobFailures.inc({ queue: name });
        // Omit the error message: PostgreSQL errors can quote data, and the row is retained for hours.
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
