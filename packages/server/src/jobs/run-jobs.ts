import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { openDatabase } from '../create-context.ts';
import { runDeliveries } from '../delivery/run-deliveries.ts';
import { scheduleAccessRecordMaintenance } from './maintain-access-records.ts';
import { runAuditor } from './auditor.ts';
import { createBoss, findJobLag } from '../queue/boss.ts';
import { processErasures } from './erase-user.ts';
import { scheduleDeliveryPruning } from './prune-deliveries.ts';
import { schedulePruning } from './prune-raw.ts';
import { processReconsolidations } from './reconsolidate-user.ts';
import { processRecomputations } from './recompute-days.ts';
import { processRemovals } from './remove-device.ts';
import { processRescores } from './rescore-user.ts';
import { runSync } from './run-sync.ts';
import { scheduleResuming } from './resume-removals.ts';
import { processMails } from './send-mail.ts';
import { runMonitor } from './monitor.ts';
import { runSequencer } from './sequencer.ts';
import { scheduleCredentialSweep } from './sweep-credentials.ts';
import { runScoring } from './compute-scores.ts';

const measureEveryMs = 15_000;
/** Connections for concurrent jobs, schedules and provider syncs, plus two for heartbeats. */
const connections = 20;
const finishMs = 5_000;
const closeTimeoutMs = 500;

/** Runs jobs and schedules until disposed. */
export async function runJobs(ctx: Context): Promise<AsyncDisposable> {
  await using resources = new AsyncDisposableStack();
  // A separate pool, since a job may hold a connection for minutes while other work of this process waits.
  const operator = resources.adopt(openDatabase(ctx.config, 'operator', connections), async (pool) => {
    // A job that did not finish in time was returned to the queue. Its open transaction ends with the process.
    await Promise.race([pool.end(), sleep(closeTimeoutMs)]);
  });
  const own: Context = { ...ctx, operator };
  const loop = resources.use(ctx.loops.start('jobs'));
  const boss = resources.adopt(createBoss(operator, loop.beat), (started) =>
    started.stop({ graceful: true, timeout: finishMs }),
  );
  boss.on('error', (error) => ctx.log.error({ err: error }, 'job queue error'));
  await boss.start();
  for (const begin of [
    processErasures,
    processRemovals,
    processRecomputations,
    processReconsolidations,
    processRescores,
    processMails,
    scheduleResuming,
    schedulePruning,
    scheduleDeliveryPruning,
    scheduleAccessRecordMaintenance,
    scheduleCredentialSweep,
  ])
    await begin(own, boss);

  resources.use(runSequencer(own));
  resources.use(runAuditor(own));
  resources.use(runMonitor(own));
  resources.use(runScoring(own));
  resources.use(runDeliveries(own));
  resources.use(runSync(own));
  const measure = async () => {
    for (const [queue, lag] of await findJobLag(operator)) ctx.metrics.jobLagSeconds.set({ queue }, lag);
  };
  const measureSafely = () =>
    void measure().catch((error: unknown) => ctx.log.warn({ err: error }, 'failed to measure job lag'));
  measureSafely();
  const timer = setInterval(measureSafely, measureEveryMs);
  resources.defer(() => clearInterval(timer));
  return resources.move();
}
