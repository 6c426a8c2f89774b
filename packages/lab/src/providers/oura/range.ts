import { addDays } from '../../people/local-time.ts';
import type { FastifyRequest } from 'fastify';
import { Temporal } from 'temporal-polyfill';
import { wallClockAt } from '../local-time.ts';
import { queryValue } from './admit.ts';
import { OuraRefusal } from './refusal.ts';

/** From one reading of the person's clocks to another, the end left out; both compare as text. */
export interface DayRange {
  start: string;
  end: string;
}

/**
 * The days that are asked for. A date alone is its midnight, also as the end, so that `end_date=today` leaves today out. What is not given is
 * a reading: until today, from the day before the end.
 */
export function dayRange(request: FastifyRequest, now: number, timezone: string): DayRange {
  const today = wallClockAt(now, timezone).slice(0, 10);
  const end = readMoment('end_date', queryValue(request, 'end_date') ?? today, timezone);
  const start = readMoment(
    'start_date',
    queryValue(request, 'start_date') ?? addDays(end.slice(0, 10), -1),
    timezone,
  );
  if (start > end) throw new OuraRefusal(400, 'start_date lies after end_date: give the earlier one first.');
  return { start, end };
}

/** A moment of the query in milliseconds; without an offset it is taken as UTC. */
export function readInstant(name: string, text: string): number {
  try {
    const hasOffset = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) && text.includes('T');
    return hasOffset
      ? Temporal.Instant.from(text).epochMilliseconds
      : Temporal.PlainDateTime.from(text).toZonedDateTime('UTC').epochMilliseconds;
  } catch {
    throw new OuraRefusal(400, `${name} is no date-time: give one like 2026-03-29T06:45:00+02:00.`);
  }
}

function readMoment(name: string, text: string, timezone: string): string {
  if (/^\d{4}-\d\d-\d\dT.+(?:Z|[+-]\d\d:?\d\d)$/i.test(text))
    return wallClockAt(readInstant(name, text), timezone);
  try {
    if (!/^\d{4}-\d\d-\d\d(?:T[\d:.]+)?$/.test(text)) throw new RangeError(text);
    return Temporal.PlainDateTime.from(text).toString({ fractionalSecondDigits: 3 });
  } catch {
    throw new OuraRefusal(400, `${name} is neither a date nor a date-time: give one like 2026-03-29.`);
  }
}
