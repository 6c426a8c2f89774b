import type { Context } from '../../context.ts';
import { partitionOf } from '../../partitions.ts';
import { createPointing } from '../../stream/pointer-stream.ts';
import { publishWork } from '../../stream/work-stream.ts';

/** Points the workers at what was just committed. Never waits and never fails: a lost pointer only costs latency. */
export function createAnnouncer(
  ctx: Pick<Context, 'broker' | 'metrics'>,
): (batches: readonly { userId: string }[]) => void {
  const point = createPointing(ctx);
  return (batches) => {
    if (batches.length === 0) return;
    const partitions = new Set(batches.map(({ userId }) => partitionOf(userId)));
    point((connection) => publishWork(connection, partitions));
  };
}
