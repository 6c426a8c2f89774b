import { offsetAt, wallClockAt } from '../local-time.ts';

/** Numbers of 64 bits are text in JSON. */
export function int64(value: number): string {
  return String(Math.round(value));
}

/** `"90s"`. */
export function durationOf(ms: number): string {
  return `${ms / 1000}s`;
}

/** `2026-03-29T04:45:00Z`. */
export function stampOf(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** `"7200s"`, as it holds there at that moment. */
export function offsetOf(ms: number, timezone: string): string {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)/.exec(offsetAt(ms, timezone)) ?? [];
  return `${(sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60) + 0}s`;
}

/** `{year, month, day}`. */
export function dateOf(date: string): { year: number; month: number; day: number } {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return { year, month, day };
}

/** What clocks show there. Parts that are zero are left out, as this JSON does with every zero. */
export function civilAt(ms: number, timezone: string): { date: object; time: object } {
  const wall = wallClockAt(ms, timezone);
  const [hours = 0, minutes = 0, seconds = 0] = wall.slice(11, 19).split(':').map(Number);
  return {
    date: dateOf(wall.slice(0, 10)),
    time: { ...(hours && { hours }), ...(minutes && { minutes }), ...(seconds && { seconds }) },
  };
}

/** A stretch of time, once for the world's clock and once for that on the wall. */
export function intervalOf(start: number, end: number, timezone: string): Record<string, unknown> {
  return {
    startTime: stampOf(start),
    startUtcOffset: offsetOf(start, timezone),
    endTime: stampOf(end),
    endUtcOffset: offsetOf(end, timezone),
    civilStartTime: civilAt(start, timezone),
    civilEndTime: civilAt(end, timezone),
  };
}

/** A moment, likewise. */
export function sampleTimeOf(at: number, timezone: string): Record<string, unknown> {
  return {
    physicalTime: stampOf(at),
    utcOffset: offsetOf(at, timezone),
    civilTime: civilAt(at, timezone),
  };
}
