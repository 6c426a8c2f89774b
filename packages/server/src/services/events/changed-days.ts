import { formatDay, type DayNumber, type DayRange } from '@tributary/domain';

/** A change that ends more than this many days ago counts as a backfill. */
const backfillAfterDays = 3;

/** The event data for a range of changed days. */
export function describeChangedDays(
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
