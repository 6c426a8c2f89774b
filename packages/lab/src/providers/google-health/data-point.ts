import type { PlacedPoint } from './batches.ts';
import type { DataType } from './data-types.ts';
import { describeSource } from './sources.ts';
import { intervalOf, sampleTimeOf } from './wire.ts';

/** A point on the wire: its value stands under the name of the type, and sessions have a name of their own. */
export function dataPointOf(type: DataType, point: PlacedPoint, isMerged: boolean): Record<string, unknown> {
  return {
    ...(point.id !== undefined && { name: `users/me/dataTypes/${type.name}/dataPoints/${point.id}` }),
    ...(!isMerged && { dataSource: describeSource(point.source) }),
    [type.key]: { ...timeOf(type, point), ...point.value },
  };
}

/** A date is part of the value. */
function timeOf({ shape }: DataType, { start, end, timezone }: PlacedPoint): Record<string, unknown> {
  if (shape === 'daily') return {};
  if (shape === 'sample') return { sampleTime: sampleTimeOf(start, timezone) };
  return { interval: intervalOf(start, end, timezone) };
}
