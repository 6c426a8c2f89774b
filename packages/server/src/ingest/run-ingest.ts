import type { Context } from '../context.ts';
import { countPendingBatches } from '../store/uploads/pending-batches.ts';
import { followPointers } from '../stream/pointer-stream.ts';
import { partitionsOf, workStream } from '../stream/work-stream.ts';
import { Lane } from './lane.ts';

/** Two, so that one computes while the other waits for the database. */
const lanesPerProcess = 2;
const measureEveryMs = 2_000;
const mostCounted = 100_000;

/** Processes committed batches until disposed. */
export async function runIngest(ctx: Context): Promise<AsyncDisposable> {
  const lanes = Array.from({ length: lanesPerProcess }, () => new Lane(ctx));
  const history = new Lane(ctx, 'history');
  const stop = new AbortController();
  // Without a broker, workers poll once per second.
  const following = followPointers(ctx, workStream, stop.signal, (pointer) => {
    for (const lane of lanes) lane.nudge(partitionsOf(pointer));
  });
  const measure = async () => {
    ctx.metrics.pendingBatches.set(await countPendingBatches(ctx.operator, mostCounted));
    ctx.metrics.heldPartitions.set(lanes.reduce((sum, lane) => sum + lane.partitions, 0));
  };
  const timer = setInterval(() => void measure().catch(() => {}), measureEveryMs);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      stop.abort();
      await Promise.all([following, ...[...lanes, history].map((lane) => lane[Symbol.asyncDispose]())]);
    },
  };
}
