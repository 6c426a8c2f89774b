import { offsetAt, wallClockAt } from '../local-time.ts';

/** Device time without an offset: `2026-03-29T06:45:00`. */
export function deviceTime(ms: number, timezone: string): string {
  return wallClockAt(ms, timezone).slice(0, 19);
}

/** `06:45`. It starts over at midnight. */
export function clockTime(ms: number, timezone: string): string {
  return wallClockAt(ms, timezone).slice(11, 16);
}

/** The UTC offset in minutes. */
export function offsetMinutes(ms: number, timezone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)/.exec(offsetAt(ms, timezone)) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** `PT1H5M30S`. */
export function isoDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const text = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${rest ? `${rest}S` : ''}`;
  return `PT${text || '0S'}`;
}
