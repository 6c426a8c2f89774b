import { Temporal } from 'temporal-polyfill';
import { dayMs, minuteMs } from './durations.ts';

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
 */
export function dayStartMs(day: DayNumber, timezone: string): number {
  return startIn(zoneOf(timezone), day);
}

/** The end of the local day, which is the start of the next one. */
export function dayEndMs(day: DayNumber, timezone: string): number {
  return startIn(zoneOf(timezone), day + 1);
}

/**
 * The local day of an instant: the last day that has started. Days never overlap or leave gaps, even where a clock that moves back just
 * after midnight shows the previous date again.
 */
export function dayOf(instantMs: number, timezone: string): DayNumber {
  const zone = zoneOf(timezone);
  let day = Math.floor((instantMs + zone.recentOffsetMs) / dayMs);
  let start = startIn(zone, day);
  while (start > instantMs) start = startIn(zone, (day -= 1));
  let end = startIn(zone, day + 1);
  while (end <= instantMs) {
    start = end;
    end = startIn(zone, (day += 1) + 1);
  }
  zone.recentOffsetMs = day * dayMs - start;
  return day;
}

/** The same local time a number of days later. */
export function addDays(instantMs: number, timezone: string, days: number): number {
  if (days === 0) return instantMs;
  return Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timezone).add({ days })
    .epochMilliseconds;
}

/** Local time in minutes from midnight of `day`. Negative on the evening before. */
export function minutesFromMidnight(instantMs: number, day: DayNumber, timezone: string): number {
  const local = Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timezone);
  const localMs = instantMs + local.offsetNanoseconds / 1_000_000;
  return (localMs - day * dayMs) / minuteMs;
}

/** A cache of day starts in one zone, indexed by the last bits of the day. */
interface Zone {
  readonly name: string;
  readonly days: Int32Array;
  readonly starts: Float64Array;
  /** An initial guess that is right for nearby instants. A wrong guess only costs time. */
  recentOffsetMs: number;
}

/** More than five years of one zone, in 24 KB. */
const slots = 2048;
const mostZones = 512;
const emptySlot = 2 ** 31 - 1;
const zones = new Map<string, Zone>();
let recentZone: Zone | undefined;

function zoneOf(name: string): Zone {
  if (recentZone?.name === name) return recentZone;
  recentZone = zones.get(name) ?? addZone(name);
  return recentZone;
}

function addZone(name: string): Zone {
  if (zones.size >= mostZones) zones.delete(zones.keys().next().value!);
  const zone: Zone = {
    name,
    days: new Int32Array(slots).fill(emptySlot),
    starts: new Float64Array(slots),
    recentOffsetMs: 0,
  };
  zones.set(name, zone);
  return zone;
}

function startIn(zone: Zone, day: DayNumber): number {
  const slot = day & (slots - 1);
  if (zone.days[slot] !== day) {
    zone.starts[slot] = epoch.add({ days: day }).toZonedDateTime(zone.name).epochMilliseconds;
    zone.days[slot] = day;
  }
  return zone.starts[slot]!;
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
