import { dayMs, minuteMs } from '../../durations.ts';
import { union } from '../../spans.ts';

/** A span of sleep, in minutes from any fixed instant. */
export interface SleepMinutes {
  readonly startMinute: number;
  readonly endMinute: number;
}

/**
 * The sleep regularity index of Phillips 2017 over a number of days from the first minute: how often a person is in the same state 24 hours
 * apart, from −100 (never) through 0 (random) to 100 (always). The whole session counts as sleep, so fragmented sleep scores slightly high.
 * Null without a second day to compare with.
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
  // Compares each day with the next. Every change of state in either of them begins or ends a stretch in which they differ.
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
