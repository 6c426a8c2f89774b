import type { Context } from '../../context.ts';
import { partitionCount, publishWork } from '../../stream/work-stream.ts';

/** Announcements that may wait for the broker at once; with more, the rest is found by looking. */
const mostOutstanding = 64;

/** Points the workers at what was just committed. Never waits and never fails: a lost pointer only costs latency. */
export function createAnnouncer(
  ctx: Pick<Context, 'broker' | 'metrics'>,
): (batches: readonly { userId: string }[]) => void {
  let outstanding = 0;
  return (batches) => {
    const { connection, connected } = ctx.broker;
    if (batches.length === 0 || !connection || !connected || outstanding >= mostOutstanding) return;
    outstanding += 1;
    publishWork(connection, new Set(batches.map(({ userId }) => partitionOf(userId))))
      .catch(() => ctx.metrics.lostPointers.inc())
      .finally(() => (outstanding -= 1));
  };
}

/** The same as `partition_of` in SQL: the last six bits of the id, which are random. */
export function partitionOf(userId: string): number {
  return Number.parseInt(userId.slice(-2), 16) % partitionCount;
}
