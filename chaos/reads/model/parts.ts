import { chunkMs, type Aggregation, type Metric } from '@tributary/domain';
import type { Calendar, DayBounds } from './day-bounds.ts';
import type { Sample } from './normalized.ts';

/** The part of a reading that counts on one date. */
export interface Part {
  startMs: number;
  endMs: number;
  /** The amount of this part for counts, else the value of the reading. */
  micros: number;
  sample: Sample;
}

/** Splits readings at midnight. Readings of which only the latest counts are not split. */
export function partsByDate(
  { aggregation }: Metric,
  samples: readonly Sample[],
  calendar: Calendar,
): Map<string, Part[]> {
  const byDate = new Map<string, Part[]>();
  const add = (date: string, part: Part) => {
    const parts = byDate.get(date);
    if (parts) parts.push(part);
    else byDate.set(date, [part]);
  };
  for (const sample of samples) {
    const { atMs, durationMs, micros } = sample;
    const untilMs = atMs + durationMs;
    const dates = aggregation === 'last' ? [] : calendar.datesOf(atMs, untilMs);
    if (dates.length < 2) {
      add(calendar.clock.dateOf(atMs), { startMs: atMs, endMs: untilMs, micros, sample });
      continue;
    }
    // What was counted until an instant is rounded, so that the parts add up to the whole.
    const countedUntil = (instantMs: number) => Math.round((micros * (instantMs - atMs)) / durationMs);
    for (const date of dates) {
      const bounds = calendar.boundsOf(date);
      const [startMs, endMs] = [Math.max(atMs, bounds.startMs), Math.min(untilMs, bounds.endMs)];
      const amount = aggregation === 'sum' ? countedUntil(endMs) - countedUntil(startMs) : micros;
      add(date, { startMs, endMs, micros: amount, sample });
    }
  }
  return byDate;
}

const minuteMs = 60_000;
const slotMs = 15 * minuteMs;

/** The time of a day that a device observed. Time in two chunks of four hours counts twice. */
export function observedMs(aggregation: Aggregation, parts: readonly Part[], day: DayBounds): number {
  let totalMs = 0;
  for (const ofChunk of Map.groupBy(parts, ({ sample }) => Math.floor(sample.atMs / chunkMs)).values()) {
    const spans = ofChunk.map(({ startMs, endMs }) =>
      aggregation === 'sum'
        ? [startMs, Math.max(endMs, startMs + minuteMs)]
        : [
            day.startMs + Math.floor((startMs - day.startMs) / slotMs) * slotMs,
            day.startMs + Math.ceil((Math.max(endMs, startMs + 1) - day.startMs) / slotMs) * slotMs,
          ],
    );
    totalMs += lengthOfUnion(spans.map(([from, to]) => [from!, Math.min(to!, day.endMs)]));
  }
  return totalMs;
}

/** How much time spans cover together. */
export function lengthOfUnion(spans: readonly (readonly [number, number])[]): number {
  let [totalMs, reachedMs] = [0, -Infinity];
  for (const [from, to] of [...spans].sort(([a], [b]) => a - b)) {
    totalMs += Math.max(0, to - Math.max(from, reachedMs));
    reachedMs = Math.max(reachedMs, to);
  }
  return totalMs;
}

/** Metric → date → parts of readings in order of time. */
export type DeviceParts = ReadonlyMap<string, ReadonlyMap<string, readonly Part[]>>;

export const isLong = ({ sample }: Part): boolean => sample.durationMs > 60_000;
