import type { FastifyRequest } from 'fastify';
import { dateAt } from '../../world/people/local-time.ts';
import { addDays, dayNumber } from '../document-id.ts';
import type { Life } from '../life.ts';
import { queryValue } from './admit.ts';
import { PolarRefusal } from './refusal.ts';

/** The maximum number of days in one response. */
const windowDays = 28;

/** The last 28 dates, in ascending order. */
export function lastDates(life: Life, now: number): string[] {
  const today = dateAt(life.person, now);
  return Array.from({ length: windowDays }, (_, index) => addDays(today, index + 1 - windowDays));
}

/** The dates from `from` to `to`, inclusive. Defaults to the last 28. */
export function requestedDates(
  request: FastifyRequest,
  life: Life,
  now: number,
  mostDaysBack: number,
): string[] {
  const [from, to] = [queryValue(request, 'from'), queryValue(request, 'to')];
  const today = dateAt(life.person, now);
  if (from === undefined && to === undefined) return lastDates(life, now);
  const last = to === undefined ? today : readDate(to);
  const first = from === undefined ? addDays(last, 1 - windowDays) : readDate(from);
  const days = dayNumber(last) - dayNumber(first) + 1;
  if (days < 1) throw new PolarRefusal(400, 'from must not be after to.');
  if (days > windowDays) throw new PolarRefusal(400, `Request at most ${windowDays} days at a time.`);
  if (dayNumber(today) - dayNumber(first) >= mostDaysBack)
    throw new PolarRefusal(400, `from must be at most ${mostDaysBack} days ago.`);
  return Array.from({ length: days }, (_, index) => addDays(first, index)).filter((date) => date <= today);
}

/** A date that exists. */
export function readDate(text: string): string {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
  if (!isDate) throw new PolarRefusal(400, 'Dates must have the form 2026-03-29.');
  return text;
}
