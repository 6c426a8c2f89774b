import { instantOf, offsetOf, offsetOfSeconds, textOf, type Fields } from '../mapping/read.ts';

const quarterMs = 15 * 60_000;
/** The maximum error of a receiver's clock at which its offset can still be derived. */
const driftMs = 2 * 60_000;
const bare = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** The time of a record. It is always UTC, even where receivers omit the `Z`, and seconds may be missing. */
export function instantOfRecord({ systemTime }: Fields): number | null {
  return instantOf(bare.test(textOf(systemTime) ?? '') ? `${String(systemTime)}Z` : systemTime);
}

/** The offset that a phone reports, or that follows from a receiver's display time. Null if that clock is set arbitrarily. */
export function offsetOfRecord(record: Fields): string | null {
  const { displayTime } = record;
  const said = offsetOf(displayTime);
  if (said !== null) return said;
  const wall = textOf(displayTime) ?? '';
  const wallMs = instantOf(bare.test(wall) ? `${wall}Z` : null);
  const atMs = instantOfRecord(record);
  if (wallMs === null || atMs === null) return null;
  const offsetMs = Math.round((wallMs - atMs) / quarterMs) * quarterMs;
  return Math.abs(wallMs - atMs - offsetMs) > driftMs ? null : offsetOfSeconds(offsetMs / 1000);
}
