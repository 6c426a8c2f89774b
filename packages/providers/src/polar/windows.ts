import { dayMs } from '@tributary/domain';
import type { Span } from '../provider.ts';
import { datesAround } from '../span.ts';

/** The maximum range of one request. */
const windowDays = 28;

/** Dates from and to, inclusive. */
export interface DateRange {
  from: string;
  to: string;
}

/** The dates of a span that Polar still has, up to the given number of days before today. Null if there are none. */
export function availableDates(span: Span, nowMs: number, daysBack = windowDays): DateRange | null {
  const { from, to } = datesAround(span);
  // The user's local date may differ from the UTC date.
  const [first, last] = [dateAt(nowMs - (daysBack - 2) * dayMs), dateAt(nowMs + dayMs)];
  const range = { from: from < first ? first : from, to: to > last ? last : to };
  return range.from <= range.to ? range : null;
}

/** The same in pieces that one request can cover, newest first. */
export function availableWindows(span: Span, nowMs: number, daysBack = windowDays): DateRange[] {
  const range = availableDates(span, nowMs, daysBack);
  const windows: DateRange[] = [];
  if (!range) return windows;
  for (let { to } = range; to >= range.from; to = daysAfter(to, -windowDays)) {
    const from = daysAfter(to, 1 - windowDays);
    windows.push({ from: from < range.from ? range.from : from, to });
  }
  return windows;
}

export function daysAfter(date: string, days: number): string {
  return dateAt(Date.parse(date) + days * dayMs);
}

function dateAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
