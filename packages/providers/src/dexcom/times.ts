import { minuteMs } from '@tributary/domain';
import { instantOf, offsetOf, offsetOfSeconds, textOf, type Fields } from '../mapping/read.ts';

const quarterMs = 15 * minuteMs;
/** The maximum error of a receiver's clock at which its offset can still be derived. */
const driftMs = 2 * minuteMs;
const bare = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** The time of a record. It is always UTC, even where receivers omit the `Z`, and seconds may be missing. */
export function instantOfRecord({ systemTime }: Fields): number | null {
  return instantOf(bare.test(textOf(systemTime) ?? '') ? `${String(systemTime)}Z` : systemTime);
}

/** The offset that a phone reports, or that follows from a receiver's display time. Null if that clock is set arbitrarily. */
export function offsetOfRecord(record: Fields): string | null {
  const { displayTime } = record;
  const reportedOffset = offsetOf(displayTime);
  if (reportedOffset !== null) return reportedOffset;
  const localTime = textOf(displayTime) ?? '';
  const localMs = instantOf(bare.test(localTime) ? `${localTime}Z` : null);
  const atMs = instantOfRecord(record);
  if (localMs === null || atMs === null) return null;
  const offsetMs = Math.round((localMs - atMs) / quarterMs) * quarterMs;
  return Math.abs(localMs - atMs - offsetMs) > driftMs ? null : offsetOfSeconds(offsetMs / 1000);
}
