import type { Day } from '../../world/people/day.ts';
import type { Person } from '../../world/people/person.ts';
import type { Frame } from '../../provider.ts';
import { LONGEST_STORY_MS } from '../../world/visibility.ts';
import { Refused } from './response.ts';

const dayMs = 86_400_000;
/** How much history an account has when the lab starts. */
const historyDays = 180;
/** Lists are paginated. The page size is undocumented. */
const pageSize = 100;

export type Fields = Record<string, string | undefined>;

/** The subject of a request: changes since a time, a range of dates, or a range of times. */
export type Range = { since: number } | { from: string; to: string } | { start: number; end: number };

/** A row that may be listed: when it happened, when it last changed, and its contents. */
export interface Listed {
  date: string;
  at: number;
  modified: number;
  record: object;
}

/** Parses the three ways to specify a range. */
export function rangeOf(fields: Fields): Range {
  if (fields['lastupdate'] !== undefined) return { since: secondOf(fields['lastupdate']) };
  if (fields['startdateymd'] !== undefined || fields['enddateymd'] !== undefined)
    return { from: dateOf(fields['startdateymd']), to: dateOf(fields['enddateymd']) };
  return timeOf(fields);
}

/** Parses `startdate` and `enddate`. */
export function timeOf(fields: Fields): { start: number; end: number } {
  return { start: secondOf(fields['startdate']), end: secondOf(fields['enddate']) };
}

/** Cuts a range off after the given number of days. The rest is silently omitted. */
export function limitRange(range: Range, days: number): Range {
  if ('since' in range) return range;
  if ('start' in range)
    return { start: range.start, end: Math.min(range.end, range.start + (days * dayMs) / 1000) };
  const last = new Date(Date.parse(range.from) + (days - 1) * dayMs).toISOString().slice(0, 10);
  return { from: range.from, to: range.to < last ? range.to : last };
}

/** Returns when the accounts of a lab were opened. Call it once, when the lab starts. */
export function openedAt(frame: Frame): number {
  return Math.floor(frame.now() / dayMs - historyDays) * dayMs;
}

/** A person's days that a range may include, from the opening of the account until now. */
export function daysIn(frame: Frame, person: Person, range: Range, opened: number): Day[] {
  // A date lasts from 14 hours before it begins in UTC until 12 hours after it ends, and a sleep begins on the day before.
  const from = 'from' in range ? Date.parse(range.from) - dayMs : firstMoment(range, opened);
  const to =
    'to' in range ? Date.parse(range.to) + 2 * dayMs : 'end' in range ? range.end * 1000 + dayMs : Infinity;
  const first = Math.max(from, opened);
  const last = Math.min(to, frame.now() + dayMs);
  if (first > last) return [];
  return frame.datesBetween(person, first, last).map((date) => frame.dayOf(person, date));
}

/** One page of the rows in the range. */
export function pageOf(
  listed: Listed[],
  range: Range,
  offset: string | undefined,
): { page: object[]; more: boolean; offset: number } {
  const begin = offset === undefined ? 0 : secondOf(offset);
  const matches = listed.filter((item) => isIn(item, range)).sort((a, b) => a.at - b.at);
  const more = matches.length > begin + pageSize;
  return {
    page: matches.slice(begin, begin + pageSize).map((item) => item.record),
    more,
    offset: more ? begin + pageSize : 0,
  };
}

function firstMoment(range: Exclude<Range, { from: string }>, opened: number): number {
  // Documents older than the longest revision period cannot have changed since.
  return 'since' in range
    ? Math.max(opened, range.since * 1000 - LONGEST_STORY_MS - dayMs)
    : range.start * 1000 - dayMs;
}

function isIn(item: Listed, range: Range): boolean {
  if ('since' in range) return Math.floor(item.modified / 1000) >= range.since;
  if ('from' in range) return item.date >= range.from && item.date <= range.to;
  const second = Math.floor(item.at / 1000);
  return second >= range.start && second <= range.end;
}

function secondOf(text: string | undefined): number {
  if (!text || !/^\d{1,11}$/.test(text)) throw new Refused('parameter');
  return Number(text);
}

function dateOf(text: string | undefined): string {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text)))
    throw new Refused('parameter');
  return text;
}
