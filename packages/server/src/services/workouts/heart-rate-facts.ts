import { firstDayOf, parseDay, type DayNumber, type HeartRateFacts } from '@tributary/domain';
import type { HeartRow } from '../../store/reads/sessions.ts';

/** The stored heart rate data of a user, in the form that the zone rules need. */
export function heartRateFacts({ profile, highest }: HeartRow): HeartRateFacts {
  const highestByDay = new Map<DayNumber, number>();
  for (const [month, printed] of Object.entries(highest ?? {})) {
    const first = firstDayOf(Number(month));
    const values = JSON.parse(`[${printed}]`) as (number | null)[];
    values.forEach((value, at) => value !== null && highestByDay.set(first + at, value));
  }
  const { max_heart_rate: entered = null, birth_date } = profile;
  return { entered, birthDay: birth_date === undefined ? null : parseDay(birth_date), highestByDay };
}
