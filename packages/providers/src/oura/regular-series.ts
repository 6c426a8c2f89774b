import { fieldsOf, instantOf, listOf, numberOf, offsetOf } from '../mapping/read.ts';
import type { SeriesInput } from '../mapping/batch-builder.ts';

/** Oura's `{ timestamp, interval, items }`: values at a fixed interval in seconds, null where there is none. */
export function readRegularSeries(value: unknown): Pick<SeriesInput, 'points' | 'offset'> {
  const { timestamp, interval, items } = fieldsOf(value);
  const startMs = instantOf(timestamp);
  const seconds = numberOf(interval);
  if (startMs === null || seconds === null || seconds <= 0) return { points: [], offset: null };
  const points = listOf(items).map(
    (item, place) => [startMs + place * seconds * 1000, numberOf(item)] as const,
  );
  return { points, offset: offsetOf(timestamp) };
}
