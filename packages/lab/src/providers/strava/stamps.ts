import { offsetAt, offsetSecondsAt, wallClockAt } from '../local-time.ts';

/** When something began, as Strava says it. */
export interface Stamps {
  start_date: string;
  start_date_local: string;
  timezone: string;
  utc_offset: number;
}

/** The four fields of a start. The local clock wears a `Z` that is not true. */
export function stampsOf(ms: number, timezone: string): Stamps {
  return {
    start_date: secondsOf(new Date(ms).toISOString()),
    start_date_local: secondsOf(wallClockAt(ms, timezone)),
    // The one of winter, as far as is known; what holds at that moment is said by utc_offset alone.
    timezone: `(GMT${winterOffset(ms, timezone)}) ${timezone}`,
    utc_offset: offsetSecondsAt(ms, timezone),
  };
}

/** The second after the midnight before, which stands for a start that the person hides. */
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
