import { formatDay, type DayNumber, type DayRange } from '@tributary/domain';

/** What ends this many days ago was not measured just now. */
const backfillAfterDays = 3;

/** What an event tells of the days that are different now. */
export function toldDays(
  change: 'updated' | 'deleted',
  { from, to }: DayRange,
  today: DayNumber,
): Record<string, unknown> {
  return {
    change,
    first_date: formatDay(from),
    last_date: formatDay(to),
    backfill: to < today - backfillAfterDays,
  };
}
