import { dayEndMs, dayStartMs, isTimezone, parseDay } from '@tributary/domain';
import { fieldsOf, type Fields } from '../../mapping/read.ts';
import type { Documents } from '../../provider.ts';

/** The summary of a day, with its start and end. */
interface PlacedDay {
  summary: Fields;
  startMs: number;
  endMs: number;
}

/** Places days in time. A day lasts until the next begins, so a travel day is longer or shorter than in its zone. */
export function placeDays(summaries: Documents): PlacedDay[] {
  const days = summaries.map(fieldsOf).flatMap((summary) => {
    const { date, timezone } = summary;
    const day = typeof date === 'string' ? parseDay(date) : null;
    return day === null || typeof timezone !== 'string' || !isTimezone(timezone)
      ? []
      : [{ summary, day, timezone, startMs: dayStartMs(day, timezone) }];
  });
  return days.map(({ summary, day, timezone, startMs }) => {
    const next = days.find((one) => one.day === day + 1);
    return { summary, startMs, endMs: next?.startMs ?? dayEndMs(day, timezone) };
  });
}
