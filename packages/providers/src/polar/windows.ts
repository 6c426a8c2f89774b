import type { Span } from '../provider.ts';
import { datesAround } from '../span.ts';

const dayMs = 86_400_000;
/** The most that is told at once. */
const windowDays = 28;

/** Dates from and to, both counted. */
export interface DateRange {
  from: string;
  to: string;
}

/** The dates of a span that Polar still tells, which are so many until today; null when there are none. */
export function datesTold(span: Span, nowMs: number, daysBack = windowDays): DateRange | null {
  const { from, to } = datesAround(span);
  // Where the person is, today may be another date than in Greenwich.
  const [first, last] = [dateAt(nowMs - (daysBack - 2) * dayMs), dateAt(nowMs + dayMs)];
  const range = { from: from < first ? first : from, to: to > last ? last : to };
  return range.from <= range.to ? range : null;
}

/** The same in pieces that can be asked for at once, the newest first. */
export function windowsTold(span: Span, nowMs: number, daysBack = windowDays): DateRange[] {
  const range = datesTold(span, nowMs, daysBack);
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
