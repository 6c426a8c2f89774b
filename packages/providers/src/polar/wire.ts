import { instantOf, numberOf, offsetOfSeconds, textOf } from '../mapping/read.ts';

/** Seconds of an ISO duration such as `PT1H5M30S`. Null for anything else. */
export function secondsOfDuration(value: unknown): number | null {
  const parts = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(textOf(value) ?? '');
  if (!parts || parts.slice(1).every((part) => part === undefined)) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

/** An offset in minutes as `+05:45`, or null if it is invalid. */
export function offsetOfMinutes(value: unknown): string | null {
  const minutes = numberOf(value);
  return minutes === null ? null : offsetOfSeconds(minutes * 60);
}

/** The minutes of an offset such as `+05:45`. */
export function minutesOfOffset(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** A local time without an offset in milliseconds, as if it were UTC. Null if it is invalid. */
export function localMsOf(value: unknown): number | null {
  const text = textOf(value);
  return text === null ? null : instantOf(`${text}Z`);
}
