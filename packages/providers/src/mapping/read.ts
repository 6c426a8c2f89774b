import { minuteMs } from '@tributary/domain';

/** Readers for provider data. They do not trust it to have the documented shape. */

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object, or none for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A number, also from a string, as JSON writes large ones. Null for anything else. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Non-empty text, truncated to the length that devices and sessions allow. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 255) : null;
}

/** An id, which providers write as text or as a number. */
export function idOf(value: unknown): string | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : textOf(value);
}

const zoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** The time of an ISO timestamp with an offset. Null for any other text. */
export function instantOf(value: unknown): number | null {
  if (typeof value !== 'string' || !zoned.test(value)) return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
}

/** The offset of an ISO timestamp, such as `+02:00`. Null for `Z`, which does not say where the user is. */
export function offsetOf(value: unknown): string | null {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(textOf(value) ?? '') ?? [];
  return sign === undefined ? null : `${sign}${hours}:${minutes}`;
}

/** An offset in seconds as `+02:00`, or null if it is invalid. */
export function offsetOfSeconds(value: unknown): string | null {
  const seconds = numberOf(value);
  if (seconds === null || Math.abs(seconds) > 14 * 3600) return null;
  const minutes = Math.round(Math.abs(seconds) / 60);
  return `${seconds < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}

/** A calendar date, or null for anything else. */
export function dateOf(value: unknown): string | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return null;
  return Number.isNaN(Date.parse(value)) ? null : value;
}

/** Applies `change` to a value unless it is missing. */
export function mapped<From, To>(value: From | null, change: (value: From) => To): To | null {
  return value === null ? null : change(value);
}

/** The sum of the known values, or null if there are none. */
export function sumOf(...values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

export const minutesOfSeconds = (value: unknown): number | null =>
  mapped(numberOf(value), (seconds) => seconds / 60);
export const minutesOfMs = (value: unknown): number | null => mapped(numberOf(value), (ms) => ms / minuteMs);
export const kmOfMetres = (value: unknown): number | null =>
  mapped(numberOf(value), (metres) => metres / 1000);
