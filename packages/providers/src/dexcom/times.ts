import { instantOf, offsetOf, offsetOfSeconds, textOf, type Fields } from '../mapping/read.ts';

const quarterMs = 15 * 60_000;
/** By how much a receiver's clock may be wrong for its offset to be known all the same. */
const driftMs = 2 * 60_000;
const bare = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** The instant of a record. Receivers leave out the `Z` of a time that is UTC all the same, and seconds may be missing. */
export function instantOfRecord({ systemTime }: Fields): number | null {
  return instantOf(bare.test(textOf(systemTime) ?? '') ? `${String(systemTime)}Z` : systemTime);
}

/** The offset that a phone says, or that follows from a receiver's clock on the wall; null when that clock is set to anything. */
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
