import { addDays } from '../../world/people/local-time.ts';
import type { FastifyRequest } from 'fastify';
import type { Frame } from '../../provider.ts';
import { queryValue } from './admit.ts';
import { heartRateRows } from './heart-rate.ts';
import type { HeartRateRow } from './heart-rate.ts';
import type { Life } from '../life.ts';
import { readToken, writeToken } from './page-token.ts';
import { readInstant } from './range.ts';
import { OuraRefusal } from './refusal.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** No simulated user had a ring before this date. */
const firstMoment = Date.parse('2020-01-01T00:00:00Z');
/** Longer windows are said to fail. That they are rejected is an assumption. */
const longestMs = 30 * dayMs;
/** The page size is the lab's choice. */
const pageSize = 1000;

/** Heart rate rows. The range parameters of all other collections are ignored, and then the list is empty. */
export function listHeartRate(
  frame: Frame,
  life: Life,
  request: FastifyRequest,
): { data: HeartRateRow[]; next_token: string | null } {
  const now = frame.now();
  if (queryValue(request, 'latest') === 'true') {
    return { data: rowsBetween(frame, life, now - 2 * dayMs, now).slice(-1), next_token: null };
  }
  const text = queryValue(request, 'next_token');
  const token = text === undefined ? null : readToken<number>(text, 'number');
  const startText = token?.start ?? queryValue(request, 'start_datetime');
  const endText = token?.end ?? queryValue(request, 'end_datetime');
  const isMisnamed =
    queryValue(request, 'start_date') !== undefined || queryValue(request, 'end_date') !== undefined;
  if (startText === undefined && endText === undefined && isMisnamed) return { data: [], next_token: null };

  const end = endText === undefined ? now : readInstant('end_datetime', endText);
  const start = startText === undefined ? end - dayMs : readInstant('start_datetime', startText);
  if (start > end) throw new OuraRefusal(400, 'start_datetime must not be after end_datetime.');
  if (end - start > longestMs)
    throw new OuraRefusal(400, 'The window is longer than 30 days. Request a shorter one.');
  const rows = rowsBetween(frame, life, Math.max(start, token ? token.after + 1 : start), end);
  const data = rows.slice(0, pageSize);
  const last = data.at(-1);
  if (!last || rows.length <= pageSize) return { data, next_token: null };
  const range = { start: new Date(start).toISOString(), end: new Date(end).toISOString() };
  return { data, next_token: writeToken({ ...range, after: last.timestamp_unix }) };
}

/** The heart rate per hour, uploaded whether or not the user opened the app. */
function rowsBetween(frame: Frame, life: Life, start: number, end: number): HeartRateRow[] {
  const { person } = life;
  const isSeen = new Map<number, boolean>();
  const from = Math.max(start, firstMoment);
  const until = Math.min(end, frame.now());
  if (from >= until) return [];
  return frame
    .datesBetween(person, from, until)
    .flatMap((date) => heartRateRows(life.dayOf(date), life.dayOf(addDays(date, 1))))
    .filter(({ timestamp_unix: at }) => {
      if (at < from || at >= until) return false;
      const hour = Math.floor(at / hourMs);
      const known = isSeen.get(hour);
      if (known !== undefined) return known;
      const seen =
        frame.visible({ person: person.id, kind: 'heartrate', key: String(hour) }, (hour + 1) * hourMs) !==
        null;
      isSeen.set(hour, seen);
      return seen;
    });
}
