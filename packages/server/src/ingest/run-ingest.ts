import type { Context } from '../context.ts';
import { countPendingBatches } from '../store/uploads/pending-batches.ts';
import { followPointers } from '../stream/pointer-stream.ts';
import { partitionsOf, workStream } from '../stream/work-stream.ts';
import { PartitionWorker } from './partition-worker.ts';

/** Two, so that one computes while the other waits for the database. */
const workersPerProcess = 2;
const measureEveryMs = 2_000;
const mostCounted = 100_000;

/** Processes committed batches until disposed. */
export async function runIngest(ctx: Context): Promise<AsyncDisposable> {
  const workers = Array.from({ length: workersPerProcess }, () => new PartitionWorker(ctx));
  const history = new PartitionWorker(ctx, 'history');
  const stop = new AbortController();
  // Without a broker, workers poll once per second.
  const subscription = followPointers(ctx, workStream, stop.signal, (pointer) => {
    for (const worker of workers) worker.nudge(partitionsOf(pointer));
  });
  const measure = async () => {
    ctx.metrics.pendingBatches.set(await countPendingBatches(ctx.operator, mostCounted));
    ctx.metrics.lockedPartitions.set(workers.reduce((sum, worker) => sum + worker.partitions, 0));
  };
  const timer = setInterval(() => void measure().catch(() => {}), measureEveryMs);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      stop.abort();
      await Promise.all([
        subscription,
        ...[...workers, history].map((worker) => worker[Symbol.asyncDispose]()),
      ]);
    },
  };
}
