import { dayMs } from './durations.ts';

/**
 * The time zones of a user over time, as one text. The zones are in order. Between two of them are the first day of the later one and the
 * instant at which its clock applies: `Europe/Berlin 2026-11-18 2026-11-18T17:00:00.000Z America/Los_Angeles`. The name of a zone is the
 * timeline of a user who never moved.
 */
export type Timezones = string;

/** The time during which a user lived in one time zone. */
export interface ZonePeriod {
  readonly timezone: string;
  /** The first day that ends at midnight in this zone. It starts when the previous day ends. */
  readonly firstDay: number;
  /** The instant from which clock times are in this zone. It is on the first day. */
  readonly fromMs: number;
}

/** The periods of a timeline, oldest first. There is at least one. */
export function parseTimezones(timezones: Timezones): ZonePeriod[] {
  const [first, ...words] = timezones.split(' ');
  const periods: ZonePeriod[] = [{ timezone: first!, firstDay: -Infinity, fromMs: -Infinity }];
  for (let at = 0; at < words.length; at += 3)
    periods.push({
      timezone: words[at + 2]!,
      firstDay: Date.parse(words[at]!) / dayMs,
      fromMs: Date.parse(words[at + 1]!),
    });
  return periods;
}

export function formatTimezones(periods: readonly ZonePeriod[]): Timezones {
  return periods
    .flatMap(({ timezone, firstDay, fromMs }, at) =>
      at === 0 ? [timezone] : [isoOf(firstDay * dayMs).slice(0, 10), isoOf(fromMs), timezone],
    )
    .join(' ');
}

/** A timeline without its current zone, or null if there was no other, and the current zone. */
export function splitTimezones(timezones: Timezones): { earlier: string | null; current: string } {
  const end = timezones.lastIndexOf(' ');
  return { earlier: end < 0 ? null : timezones.slice(0, end), current: timezones.slice(end + 1) };
}

function isoOf(instantMs: number): string {
  return new Date(instantMs).toISOString();
}
