import type { Core } from '../../core.ts';
import { partitionOf } from '../../partitions.ts';
import { createPointing } from '../../stream/pointer-stream.ts';
import { publishWork } from '../../stream/work-stream.ts';

/** Notifies the workers of committed batches. Never waits and never fails: a lost notification only adds latency. */
export function createAnnouncer(
  ctx: Pick<Core, 'broker' | 'metrics'>,
): (batches: readonly { userId: string }[]) => void {
  const point = createPointing(ctx);
  return (batches) => {
    if (batches.length === 0) return;
    const partitions = new Set(batches.map(({ userId }) => partitionOf(userId)));
    point((connection) => publishWork(connection, partitions));
  };
}
