import type { BatchBuilder } from '../../mapping/batch-builder.ts';
import { offsetIn } from './zone.ts';

type Points = (readonly [atMs: number, value: number | null])[];

/** Maps samples with the offsets of a zone, because clocks may change among them. */
export function addSeries(
  batch: BatchBuilder,
  metric: string,
  timezone: unknown,
  points: Readonly<Points>,
): void {
  const byOffset = new Map<string | null, Points>();
  for (const point of points) {
    const offset = offsetIn(timezone, point[0]);
    const group = byOffset.get(offset) ?? [];
    group.push(point);
    byOffset.set(offset, group);
  }
  for (const [offset, group] of byOffset) batch.addSeries({ metric, points: group, offset });
}
