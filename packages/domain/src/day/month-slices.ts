import type { DayNumber } from '../days.ts';
import { firstDayOf, placeInMonth } from './month.ts';

/** A part of one calendar month. */
export interface MonthSlice {
  month: number;
  /** Index of the first day of the slice within the month, from 0. */
  index: number;
  days: number;
  isWhole: boolean;
}

/** The months that a range of days overlaps, with the slice of each. */
export function monthSlices(from: DayNumber, to: DayNumber): MonthSlice[] {
  const slices: MonthSlice[] = [];
  for (let day = from; day <= to;) {
    const { month, index, daysInMonth } = placeInMonth(day);
    const days = Math.min(daysInMonth - index, to - day + 1);
    slices.push({ month, index, days, isWhole: days === daysInMonth });
    day = firstDayOf(month + 1);
  }
  return slices;
}

const comma = ',';

/** The slice of a printed month, as comma-separated values. */
export function slicePrinted(printed: string | undefined, { index, days, isWhole }: MonthSlice): string {
  if (printed === undefined) return nulls(days);
  if (isWhole) return printed;
  let start = 0;
  for (let skipped = 0; skipped < index; skipped += 1) start = printed.indexOf(comma, start) + 1;
  let end = start;
  for (let dayIndex = 0; dayIndex < days; dayIndex += 1) {
    const next = printed.indexOf(comma, end);
    if (next === -1) return printed.slice(start);
    end = next + 1;
  }
  return printed.slice(start, end - 1);
}

const nullsByLength: string[] = [];

/** That number of missing values. */
function nulls(count: number): string {
  return (nullsByLength[count] ??= Array.from({ length: count }, () => 'null').join(comma));
}
