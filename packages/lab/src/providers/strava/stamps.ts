import { offsetAt, offsetSecondsAt, wallClockAt } from '../local-time.ts';

/** The start time in Strava's format. */
export interface Stamps {
  start_date: string;
  start_date_local: string;
  timezone: string;
  utc_offset: number;
}

/** The four fields of a start time. The local time has an incorrect `Z` suffix. */
export function stampsOf(ms: number, timezone: string): Stamps {
  return {
    start_date: secondsOf(new Date(ms).toISOString()),
    start_date_local: secondsOf(wallClockAt(ms, timezone)),
    // The standard offset, as far as known. Only utc_offset has the actual offset at that time.
    timezone: `(GMT${winterOffset(ms, timezone)}) ${timezone}`,
    utc_offset: offsetSecondsAt(ms, timezone),
  };
}

/** One second after the previous midnight, which replaces a start time that the user hides. */
export function hiddenStart(ms: number, timezone: string): number {
  const midnight = Date.parse(`${wallClockAt(ms, timezone).slice(0, 10)}T00:00:01Z`);
  return midnight - offsetSecondsAt(ms, timezone) * 1000;
}

function winterOffset(ms: number, timezone: string): string {
  const year = new Date(ms).getUTCFullYear();
  const [january, july] = [Date.UTC(year, 0, 1), Date.UTC(year, 6, 1)];
  const isJanuary = offsetSecondsAt(january, timezone) <= offsetSecondsAt(july, timezone);
  return offsetAt(isJanuary ? january : july, timezone);
}

function secondsOf(text: string): string {
  return `${text.slice(0, 19)}Z`;
}
