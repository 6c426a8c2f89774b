import type { PlacedPoint } from './batches.ts';
import type { DataType } from './data-types.ts';
import { describeSource } from './sources.ts';
import { intervalOf, sampleTimeOf } from '../wire.ts';

/** A data point on the wire. Its value is under the name of the type, and sessions have a resource name. */
export function dataPointOf(type: DataType, point: PlacedPoint, isMerged: boolean): Record<string, unknown> {
  return {
    ...(point.id !== undefined && { name: `users/me/dataTypes/${type.name}/dataPoints/${point.id}` }),
    ...(!isMerged && { dataSource: describeSource(point.source) }),
    [type.key]: { ...timeOf(type, point), ...point.value },
  };
}

/** For daily types, the date is part of the value. */
function timeOf({ shape }: DataType, { start, end, timezone }: PlacedPoint): Record<string, unknown> {
  if (shape === 'daily') return {};
  if (shape === 'sample') return { sampleTime: sampleTimeOf(start, timezone) };
  return { interval: intervalOf(start, end, timezone) };
}
