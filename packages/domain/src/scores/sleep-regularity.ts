import { union } from '../spans.ts';

/** When somebody slept, in minutes from any fixed instant. */
export interface SleepMinutes {
  readonly startMinute: number;
  readonly endMinute: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * The sleep regularity index of Phillips 2017 over some days from the first minute on: how often somebody is in the same state 24 hours
 * apart, from −100 (never) over 0 (as by chance) to 100 (always). All of a session counts as sleep, so broken sleepers come out a little
 * high. Null where there is no second day to compare with.
 */
export function sleepRegularity(
  sessions: readonly SleepMinutes[],
  firstMinute: number,
  days: number,
): number | null {
  if (days < 2) return null;
  const firstMs = firstMinute * minuteMs;
  const comparedMs = (days - 1) * dayMs;
  const asleep = union(
    sessions.map(({ startMinute, endMinute }) => ({
      startMs: startMinute * minuteMs - firstMs,
      endMs: endMinute * minuteMs - firstMs,
    })),
  );
  // Each day is laid over the next one. Every change of state, in either of the two, begins or ends a stretch in which they differ.
  const changes: number[] = [];
  const addChange = (atMs: number) => changes.push(Math.max(0, Math.min(comparedMs, atMs)));
  for (const { startMs, endMs } of asleep) {
    addChange(startMs);
    addChange(endMs);
    addChange(startMs - dayMs);
    addChange(endMs - dayMs);
  }
  changes.sort((a, b) => a - b);
  let sameMs = comparedMs;
  for (let at = 0; at < changes.length; at += 2) sameMs -= changes[at + 1]! - changes[at]!;
  return -100 + (200 * sameMs) / comparedMs;
}
