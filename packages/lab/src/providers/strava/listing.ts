import type { FastifyRequest } from 'fastify';
import { addDays, dateAt } from '../../world/people/local-time.ts';
import type { Frame } from '../../provider.ts';
import type { Life } from '../life.ts';
import { activitiesOn, seeActivity, type SeenActivity } from './activities.ts';
import { queryNumber } from './admit.ts';

/** No simulated user uploaded anything before this date. */
const firstDate = '2020-01-01';
const defaultPerPage = 30;
const mostPerPage = 200;
const lastSecond = Date.parse('2200-01-01T00:00:00Z') / 1000;

/** A page of activities: newest first, or with `after` oldest first, as far as known. The page after the last one is empty. */
export function listActivities(
  frame: Frame,
  life: Life,
  request: FastifyRequest,
  seesPrivate: boolean,
): SeenActivity[] {
  const after = queryNumber(request, 'after', 0, lastSecond);
  const before = queryNumber(request, 'before', 0, lastSecond) ?? lastSecond;
  const page = queryNumber(request, 'page', 1, 1_000_000) ?? 1;
  const perPage = queryNumber(request, 'per_page', 1, mostPerPage) ?? defaultPerPage;

  const activities: SeenActivity[] = [];
  const wanted = page * perPage;
  const step = after === undefined ? -1 : 1;
  const [first, last] = datesOf(frame, life, after ?? 0, before);
  for (let date = step < 0 ? last : first; first <= date && date <= last; date = addDays(date, step)) {
    const seen = activitiesOn(frame, life, date)
      .flatMap((activity) => seeActivity(frame, activity, seesPrivate) ?? [])
      .filter(({ startsAt }) => startsAt < before * 1000 && startsAt > (after ?? 0) * 1000);
    activities.push(...seen.toSorted((one, other) => step * (one.startsAt - other.startsAt)));
    if (activities.length >= wanted) break;
  }
  return activities.slice(wanted - perPage, wanted);
}

/** The first and last date that can have data. Other time zones are up to a day off. */
function datesOf(frame: Frame, { person }: Life, after: number, before: number): [string, string] {
  const earliest = Date.parse(firstDate);
  const until = Math.max(earliest, Math.min(before * 1000, frame.now()));
  const first = addDays(dateAt(person, Math.max(earliest, after * 1000)), -1);
  return [first < firstDate ? firstDate : first, addDays(dateAt(person, until), 1)];
}
