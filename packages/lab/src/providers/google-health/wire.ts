import { offsetAt, wallClockAt } from '../local-time.ts';

/** 64-bit numbers are strings in JSON. */
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

/** The UTC offset at that time, such as `"7200s"`. */
export function offsetOf(ms: number, timezone: string): string {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)/.exec(offsetAt(ms, timezone)) ?? [];
  return `${(sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60) + 0}s`;
}

/** `{year, month, day}`. */
export function dateOf(date: string): { year: number; month: number; day: number } {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return { year, month, day };
}

/** Local time. Parts that are zero are omitted, as this API does with every zero. */
export function civilAt(ms: number, timezone: string): { date: object; time: object } {
  const localTime = wallClockAt(ms, timezone);
  const [hours = 0, minutes = 0, seconds = 0] = localTime.slice(11, 19).split(':').map(Number);
  return {
    date: dateOf(localTime.slice(0, 10)),
    time: { ...(hours && { hours }), ...(minutes && { minutes }), ...(seconds && { seconds }) },
  };
}

/** An interval in physical time and in local time. */
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

/** A sample time, likewise. */
export function sampleTimeOf(at: number, timezone: string): Record<string, unknown> {
  return {
    physicalTime: stampOf(at),
    utcOffset: offsetOf(at, timezone),
    civilTime: civilAt(at, timezone),
  };
}
