import { firstDayOf, parseDay, type DayNumber, type HeartRateFacts } from '@tributary/domain';
import type { HeartRow } from '../../store/session-reads.ts';

/** What is stored about a person's heart, as the rules of zones take it. */
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
