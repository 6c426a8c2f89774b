import type { Context } from '../context.ts';
import { createBoss, findJobLag } from './boss.ts';
import { scheduleCredentialSweep } from './sweep-credentials.ts';

const measureEveryMs = 15_000;

/** Works on jobs and schedules until disposed of. */
export async function runJobs(ctx: Context): Promise<AsyncDisposable> {
  const boss = createBoss(ctx.operator);
  boss.on('error', (error) => ctx.log.error({ err: error }, 'job queue'));
  await boss.start();
  await scheduleCredentialSweep(ctx, boss);

  const measure = async () => {
    for (const [queue, lag] of await findJobLag(ctx.operator)) ctx.metrics.jobLagSeconds.set({ queue }, lag);
  };
  const measureSafely = () =>
    void measure().catch((error: unknown) => ctx.log.warn({ err: error }, 'job lag not measured'));
  measureSafely();
  const timer = setInterval(measureSafely, measureEveryMs);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await boss.stop({ graceful: true, timeout: 5_000 });
    },
  };
}
