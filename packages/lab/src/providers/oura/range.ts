import { addDays } from '../../world/people/local-time.ts';
import type { FastifyRequest } from 'fastify';
import { Temporal } from 'temporal-polyfill';
import { wallClockAt } from '../local-time.ts';
import { queryValue } from './admit.ts';
import { OuraRefusal } from './refusal.ts';

/** A range of the person's local time with an exclusive end. Both ends compare as text. */
export interface DayRange {
  start: string;
  end: string;
}

/**
 * The requested days. A plain date means its midnight, also as the end, so `end_date=today` excludes today. The defaults are assumptions: until
 * today, from the day before the end.
 */
export function dayRange(request: FastifyRequest, now: number, timezone: string): DayRange {
  const today = wallClockAt(now, timezone).slice(0, 10);
  const end = readMoment('end_date', queryValue(request, 'end_date') ?? today, timezone);
  const start = readMoment(
    'start_date',
    queryValue(request, 'start_date') ?? addDays(end.slice(0, 10), -1),
    timezone,
  );
  if (start > end) throw new OuraRefusal(400, 'start_date must not be after end_date.');
  return { start, end };
}

/** A query time in milliseconds. Without an offset it is read as UTC. */
export function readInstant(name: string, text: string): number {
  try {
    const hasOffset = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) && text.includes('T');
    return hasOffset
      ? Temporal.Instant.from(text).epochMilliseconds
      : Temporal.PlainDateTime.from(text).toZonedDateTime('UTC').epochMilliseconds;
  } catch {
    throw new OuraRefusal(400, `${name} must be a date-time such as 2026-03-29T06:45:00+02:00.`);
  }
}

function readMoment(name: string, text: string, timezone: string): string {
  if (/^\d{4}-\d\d-\d\dT.+(?:Z|[+-]\d\d:?\d\d)$/i.test(text))
    return wallClockAt(readInstant(name, text), timezone);
  try {
    if (!/^\d{4}-\d\d-\d\d(?:T[\d:.]+)?$/.test(text)) throw new RangeError(text);
    return Temporal.PlainDateTime.from(text).toString({ fractionalSecondDigits: 3 });
  } catch {
    throw new OuraRefusal(400, `${name} must be a date or a date-time, such as 2026-03-29.`);
  }
}
