import type { ValueSpan } from '../../samples/value-spans.ts';
import { union, type Span } from '../../spans.ts';
import { meansByQuarter, minutesByQuarter, quarterMinutes } from './quarters.ts';

/** Two hours asleep and four hours awake. */
const leastAsleepQuarters = 8;
const leastAwakeQuarters = 16;

interface MeasuredDay extends Span {
  readonly heartRate: readonly ValueSpan[];
  readonly sleep: readonly (Span & { readonly isMain?: boolean })[];
}

/**
 * By how many percent of the mean awake heart rate the mean heart rate in main sleep is lower, on one local day and by one device. Means of
 * quarters of an hour, so that a workout with a reading per second does not outweigh a quiet hour. Naps count as neither.
 */
export function heartRateDipOf(day: MeasuredDay): number | null {
  const means = meansByQuarter(day.heartRate, day);
  const asleepMinutes = minutesByQuarter(union(day.sleep), day);
  const nightMinutes = minutesByQuarter(union(day.sleep.filter(({ isMain }) => isMain)), day);
  const measured = [...means.keys()].filter((quarter) => !Number.isNaN(means[quarter]!));
  const asleep = measured.filter((quarter) => nightMinutes[quarter] === quarterMinutes);
  const awake = measured.filter((quarter) => asleepMinutes[quarter] === 0);
  if (asleep.length < leastAsleepQuarters || awake.length < leastAwakeQuarters) return null;
  const meanOf = (quarters: readonly number[]) =>
    quarters.reduce((sum, quarter) => sum + means[quarter]!, 0) / quarters.length;
  const awakeMean = meanOf(awake);
  return (100 * (awakeMean - meanOf(asleep))) / awakeMean;
}
