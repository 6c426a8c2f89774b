import { toMicros } from '../../samples/micros.ts';
import type { ValueSpan } from '../../samples/value-spans.ts';
import { union, type Span } from '../../spans.ts';
import { amountsByQuarter, meansByQuarter, minutesByQuarter, quarterMinutes } from './quarters.ts';

/** Fewer steps in a quarter of an hour are movement on the spot. */
const leastSteps = 40;
/** A device that was worn for less of the waking day may have missed the longest period. */
const leastAwakeMinutes = 480;

interface ObservedDay extends Span {
  readonly heartRate: readonly ValueSpan[];
  readonly steps: readonly ValueSpan[];
  readonly sleep: readonly (Span & { readonly isMain?: boolean })[];
}

/**
 * The longest run of quarters of an hour, awake and with the device in use, with hardly any steps. A heart rate or a step interval shows that
 * the device was in use. Null without a main sleep, because a night would count as inactivity, or if too little of the day was observed.
 */
export function longestInactivityOf(day: ObservedDay): number | null {
  if (!day.sleep.some(({ isMain }) => isMain)) return null;
  const steps = amountsByQuarter(day.steps, day);
  const heartRate = meansByQuarter(day.heartRate, day);
  const asleep = minutesByQuarter(union(day.sleep), day);
  let [longest, run, observed] = [0, 0, 0];
  for (const [quarter, amount] of steps.entries()) {
    const isInUse = !Number.isNaN(amount) || !Number.isNaN(heartRate[quarter]!);
    const isAwake = isInUse && asleep[quarter] === 0;
    if (isAwake) observed += quarterMinutes;
    // Without a count, a device in use counted nothing.
    run = isAwake && !(amount >= toMicros(leastSteps)) ? run + quarterMinutes : 0;
    longest = Math.max(longest, run);
  }
  return observed < leastAwakeMinutes ? null : longest;
}
