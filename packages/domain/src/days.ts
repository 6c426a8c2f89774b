import { Temporal } from 'temporal-polyfill';
import { dayMs, minuteMs } from './durations.ts';
import { parseTimezones, type Timezones, type ZonePeriod } from './timezones.ts';

/** A calendar day as the number of days since 1970-01-01. */
export type DayNumber = number;

/** Consecutive days, both ends included. */
export interface DayRange {
  from: DayNumber;
  to: DayNumber;
}

/** Every day of a range, in order. */
export function daysIn({ from, to }: DayRange): DayNumber[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

const epoch = new Temporal.PlainDate(1970, 1, 1);
const firstDay = dayNumberOf(new Temporal.PlainDate(1900, 1, 1));
const lastDay = dayNumberOf(new Temporal.PlainDate(2200, 12, 31));
const shape = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Both caches hold only real days from 1900 to 2200, which bounds their size. */
const numbers = new Map<string, DayNumber>();
const texts = new Map<DayNumber, string>();

/** Parses `2026-03-29`. Null unless the text is a date from 1900 to 2200. */
export function parseDay(text: string): DayNumber | null {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  const day = readDay(text);
  if (day === null || day < firstDay || day > lastDay) return null;
  numbers.set(text, day);
  return day;
}

/** Whether a text is a date from 1900 to 2200, or `all`. */
export function isDayOrAll(text: string): boolean {
  return text === 'all' || parseDay(text) !== null;
}

/** Formats a day as `2026-03-29`. */
export function formatDay(day: DayNumber): string {
  const known = texts.get(day);
  if (known !== undefined) return known;
  const text = epoch.add({ days: day }).toString();
  if (day >= firstDay && day <= lastDay) texts.set(day, text);
  return text;
}

/**
 * The first instant whose local date is `day` or later. That is midnight, or the end of the gap if midnight does not exist. A skipped day
 * starts at the same instant as the next one.
 *
 * The day on which a user moved starts at midnight in the previous zone and ends at midnight in the new one. It is shorter or longer than
 * others. If it has no time at all because the user crossed the date line, it is skipped.
 */
export function dayStartMs(day: DayNumber, timezones: Timezones): number {
  return calendarOf(timezones).startOf(day);
}

/** The end of the local day, which is the start of the next one. */
export function dayEndMs(day: DayNumber, timezones: Timezones): number {
  return calendarOf(timezones).startOf(day + 1);
}

/**
 * The local day of an instant: the last day that has started. Days never overlap or leave gaps, even where a clock that moves back just
 * after midnight shows the previous date again.
 */
export function dayOf(instantMs: number, timezones: Timezones): DayNumber {
  const calendar = calendarOf(timezones);
  let day = Math.floor((instantMs + calendar.recentOffsetMs) / dayMs);
  let start = calendar.startOf(day);
  while (start > instantMs) start = calendar.startOf((day -= 1));
  let end = calendar.startOf(day + 1);
  while (end <= instantMs) {
    start = end;
    end = calendar.startOf((day += 1) + 1);
  }
  calendar.recentOffsetMs = day * dayMs - start;
  return day;
}

/** The zone whose clock applies at an instant. */
export function timezoneAt(instantMs: number, timezones: Timezones): string {
  const { periods } = calendarOf(timezones);
  if (periods.length === 1) return periods[0]!.timezone;
  return periods.findLast(({ fromMs }) => fromMs <= instantMs)!.timezone;
}

/** The zone in which a day ends. */
export function timezoneOfDay(day: DayNumber, timezones: Timezones): string {
  return calendarOf(timezones).periods.findLast(({ firstDay }) => firstDay <= day)!.timezone;
}

/** The same local time in the current zone, a number of days later. */
export function addDays(instantMs: number, timezones: Timezones, days: number): number {
  if (days === 0) return instantMs;
  const { timezone } = calendarOf(timezones).periods.at(-1)!;
  return Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timezone).add({ days })
    .epochMilliseconds;
}

/** The current day of a user who is some days ahead. */
export function todayOf(nowMs: number, timezones: Timezones, daysAhead: number): DayNumber {
  return dayOf(addDays(nowMs, timezones, daysAhead), timezones);
}

/** Local time in minutes from midnight of `day`. Negative on the evening before. */
export function minutesFromMidnight(instantMs: number, day: DayNumber, timezones: Timezones): number {
  const timezone = timezoneAt(instantMs, timezones);
  const local = Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timezone);
  const localMs = instantMs + local.offsetNanoseconds / 1_000_000;
  return (localMs - day * dayMs) / minuteMs;
}

/** The day starts of a zone or of a timeline. */
interface Calendar {
  readonly timezones: Timezones;
  readonly periods: readonly ZonePeriod[];
  startOf(day: DayNumber): number;
  /** An initial guess that is right for nearby instants. A wrong guess only costs time. */
  recentOffsetMs: number;
}

/** More than five years of one calendar, in 24 KB. */
const slots = 2048;
const mostCalendars = 512;
const emptySlot = 2 ** 31 - 1;
const zones = new Map<string, Calendar>();
const timelines = new Map<Timezones, Calendar>();
let recentCalendar: Calendar | undefined;

function calendarOf(timezones: Timezones): Calendar {
  if (recentCalendar?.timezones === timezones) return recentCalendar;
  recentCalendar = timezones.includes(' ') ? timelineOf(timezones) : zoneOf(timezones);
  return recentCalendar;
}

function zoneOf(name: string): Calendar {
  return zones.get(name) ?? remember(zones, createZone(name));
}

function timelineOf(timezones: Timezones): Calendar {
  return timelines.get(timezones) ?? remember(timelines, createTimeline(timezones));
}

function remember(calendars: Map<string, Calendar>, calendar: Calendar): Calendar {
  if (calendars.size >= mostCalendars) calendars.delete(calendars.keys().next().value!);
  calendars.set(calendar.timezones, calendar);
  return calendar;
}

function createZone(name: string): Calendar {
  const startOf = (day: DayNumber): number =>
    epoch.add({ days: day }).toZonedDateTime(name).epochMilliseconds;
  return { timezones: name, periods: parseTimezones(name), startOf: cached(startOf), recentOffsetMs: 0 };
}

function createTimeline(timezones: Timezones): Calendar {
  const periods = parseTimezones(timezones);
  // A day starts where the zone of the previous day ends it.
  const midnightOf = (day: DayNumber): number =>
    zoneOf(periods.findLast(({ firstDay }) => firstDay < day)!.timezone).startOf(day);
  // Zones differ by 26 hours at most, so no start is before that of two days earlier.
  const startOf = (day: DayNumber): number => Math.max(midnightOf(day), midnightOf(day - 1));
  return { timezones, periods, startOf: cached(startOf), recentOffsetMs: 0 };
}

/** Caches day starts, indexed by the last bits of the day. */
function cached(startOf: (day: DayNumber) => number): (day: DayNumber) => number {
  const days = new Int32Array(slots).fill(emptySlot);
  const starts = new Float64Array(slots);
  return (day) => {
    const slot = day & (slots - 1);
    if (days[slot] !== day) {
      starts[slot] = startOf(day);
      days[slot] = day;
    }
    return starts[slot]!;
  };
}

function readDay(text: string): DayNumber | null {
  const parts = shape.exec(text);
  if (parts === null) return null;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  try {
    return dayNumberOf(Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' }));
  } catch {
    return null; // 30 February, or a month 13
  }
}

function dayNumberOf(date: Temporal.PlainDate): DayNumber {
  return epoch.until(date).days;
}
