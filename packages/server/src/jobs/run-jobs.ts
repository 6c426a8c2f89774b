import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, type Context } from '../context.ts';
import { runDeliveries } from '../delivery/run-deliveries.ts';
import { runAuditor } from './auditor.ts';
import { createBoss, findJobLag } from './boss.ts';
import { workOnErasures } from './erase-user.ts';
import { scheduleDeliveryPruning } from './prune-deliveries.ts';
import { schedulePruning } from './prune-raw.ts';
import { workOnReconsolidations } from './reconsolidate-user.ts';
import { workOnRecuts } from './recut-user.ts';
import { workOnRemovals } from './remove-device.ts';
import { workOnRescores } from './rescore-user.ts';
import { runSync } from './run-sync.ts';
import { scheduleResuming } from './resume-removals.ts';
import { workOnMails } from './send-mail.ts';
import { runSequencer } from './sequencer.ts';
import { scheduleCredentialSweep } from './sweep-credentials.ts';
import { workOnScores } from './work-on-scores.ts';

const measureEveryMs = 15_000;
/** Jobs at work at once, schedules and readers of providers included, and two that keep their hearts beating. */
const connections = 20;
const finishMs = 5_000;
const cutOffMs = 500;

/** Works on jobs and schedules until disposed of. */
export async function runJobs(ctx: Context): Promise<AsyncDisposable> {
  await using resources = new AsyncDisposableStack();
  // Of its own, since a job may hold a connection for minutes while others of this process wait for theirs.
  const operator = resources.adopt(openDatabase(ctx.config, 'operator', connections), async (pool) => {
    // A job that did not end in time was given back, and what it has not committed is cut off with the process.
    await Promise.race([pool.end(), sleep(cutOffMs)]);
  });
  const own: Context = { ...ctx, operator };
  const boss = resources.adopt(createBoss(operator), (started) =>
    started.stop({ graceful: true, timeout: finishMs }),
  );
  boss.on('error', (error) => ctx.log.error({ err: error }, 'job queue'));
  await boss.start();
  for (const begin of [
    workOnErasures,
    workOnRemovals,
    workOnRecuts,
    workOnReconsolidations,
    workOnRescores,
    workOnMails,
    scheduleResuming,
    schedulePruning,
    scheduleDeliveryPruning,
    scheduleCredentialSweep,
  ])
    await begin(own, boss);

  resources.use(runSequencer(own));
  resources.use(runAuditor(own));
  resources.use(workOnScores(own));
  resources.use(runDeliveries(own));
  resources.use(runSync(own));
  const measure = async () => {
    for (const [queue, lag] of await findJobLag(operator)) ctx.metrics.jobLagSeconds.set({ queue }, lag);
  };
  const measureSafely = () =>
    void measure().catch((error: unknown) => ctx.log.warn({ err: error }, 'job lag not measured'));
  measureSafely();
  const timer = setInterval(measureSafely, measureEveryMs);
  resources.defer(() => clearInterval(timer));
  return resources.move();
}
