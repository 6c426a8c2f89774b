import type { LocalDays } from '@tributary/rig';
import type { DeviceKind } from '../upload.ts';
import type { Normalized } from './normalized.ts';

const minuteMs = 60_000;

/** The steps of one device on one date. */
export interface StepsOfDate {
  /** The value that the device reports: its total, or its counts if they went on after the total. */
  micros: number;
  /** The total that it reported, or null. */
  total: number | null;
  /** Minute → steps of the reading that counts in it. Null if the device has only a total. */
  perMinute: Map<number, number> | null;
}

/** The steps of one device for each date. Readings start and end on whole minutes, so every minute has a share of them. */
export function stepsOf(model: Normalized, device: DeviceKind, days: LocalDays): Map<string, StepsOfDate> {
  const counts = new Map<string, { sum: number; untilMs: number; perMinute: Map<number, number> }>();
  const inOrder = [...(model.readings.get(`${device} steps`) ?? [])].sort(([a], [b]) => a - b);
  for (const [startMs, { micros, durationMs }] of inOrder) {
    if (micros === null) continue;
    const share = micros / (durationMs / minuteMs);
    for (let atMs = startMs; atMs < startMs + durationMs; atMs += minuteMs) {
      const date = days.dateOf(atMs);
      const ofDate = counts.get(date) ?? { sum: 0, untilMs: 0, perMinute: new Map<number, number>() };
      counts.set(date, ofDate);
      ofDate.sum += share;
      ofDate.untilMs = Math.max(ofDate.untilMs, atMs + minuteMs);
      // A later start is more specific. A count of zero leaves the minute to others.
      if (share > 0) ofDate.perMinute.set(atMs / minuteMs, share);
    }
  }
  const steps = new Map<string, StepsOfDate>(
    [...counts].map(([date, { sum, perMinute }]) => [date, { micros: sum, total: null, perMinute }]),
  );
  for (const [key, { micros, createdMs }] of model.totals) {
    const [of, , date] = key.split(' ');
    if (of !== device) continue;
    const count = counts.get(date!);
    const isOutdated = count !== undefined && count.untilMs > createdMs && count.sum > micros;
    steps.set(date!, {
      micros: isOutdated ? count.sum : micros,
      total: micros,
      perMinute: count?.perMinute ?? null,
    });
  }
  return steps;
}

/**
 * Both devices are one record. If both counted over time, each minute counts once, from the watch if it counted, and the result is at least the
 * larger total. Otherwise it is the larger of what they reported. Must be called with what devices that were worn reported, the watch first.
 */
export function allSteps(reported: readonly StepsOfDate[]): number {
  const [first, second] = reported.map(({ perMinute }) => perMinute);
  if (!first || !second) return Math.max(...reported.map(({ micros }) => micros));
  const together = [...new Map([...second, ...first]).values()].reduce((sum, share) => sum + share, 0);
  return Math.max(together, ...reported.flatMap(({ total }) => total ?? []));
}
