import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { countPendingBatches } from '../store/pending-batches.ts';
import { ensureWorkStream, followWork } from '../stream/work-stream.ts';
import { Lane } from './lane.ts';

/** Two, so that one computes while the other waits for the database. */
const lanesPerProcess = 2;
const measureEveryMs = 2_000;
const mostCounted = 100_000;

/** Works on committed batches until disposed of. */
export async function runIngest(ctx: Context): Promise<AsyncDisposable> {
  const lanes = Array.from({ length: lanesPerProcess }, () => new Lane(ctx));
  const stop = new AbortController();
  const following = followPointers(ctx, stop.signal, (partitions) => {
    for (const lane of lanes) lane.nudge(partitions);
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
      await Promise.all([following, ...lanes.map((lane) => lane[Symbol.asyncDispose]())]);
    },
  };
}

/** Follows the pointers for as long as there is a broker. Without one, lanes find their work by looking once a second. */
async function followPointers(
  ctx: Context,
  signal: AbortSignal,
  onWork: (partitions: number[]) => void,
): Promise<void> {
  while (!signal.aborted) {
    const { connection, connected, lost } = ctx.broker;
    if (connection && connected) {
      try {
        await ensureWorkStream(connection, ctx.config.nats.replicas);
        await followWork(connection, AbortSignal.any([signal, lost]), onWork);
      } catch (error) {
        if (!signal.aborted) ctx.log.warn({ err: error }, 'pointers not followed');
      }
    }
    await sleep(500, undefined, { signal }).catch(() => {});
  }
}
