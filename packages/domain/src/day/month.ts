import { formatDay, type DayNumber } from '../days.ts';
import { dayMs } from '../durations.ts';

/** Position of a day in its calendar month. Months are numbered from January 1970. */
export interface PlaceInMonth {
  month: number;
  /** From 0. */
  index: number;
  daysInMonth: number;
}

const known = new Map<DayNumber, PlaceInMonth>();
const mostKnown = 10_000;

export function placeInMonth(day: DayNumber): PlaceInMonth {
  let place = known.get(day);
  if (!place) {
    const [year, month, date] = formatDay(day).split('-').map(Number) as [number, number, number];
    const number = (year - 1970) * 12 + month - 1;
    place = { month: number, index: date - 1, daysInMonth: firstDayOf(number + 1) - firstDayOf(number) };
    if (known.size >= mostKnown) known.clear();
    known.set(day, place);
  }
  return place;
}

/** The first day of a month, numbered from January 1970. */
export function firstDayOf(month: number): DayNumber {
  return Date.UTC(1970, month, 1) / dayMs;
}
