import { createHash } from 'node:crypto';
import { dateAt } from '../../world/people/local-time.ts';
import type { Frame } from '../../provider.ts';
import { addDays } from '../document-id.ts';
import type { Life } from '../life.ts';
import { memberSince, pointsOf, type PlacedPoint } from './batches/batches.ts';
import type { DataType } from './batches/data-types.ts';
import { parseFilter } from './filter.ts';
import { GoogleRefusal } from './refusal.ts';

/** How many dates one page covers. Users with little data get empty pages with a next page. */
const datesAPage = 30;

export interface ListQuery {
  filter: string | undefined;
  pageSize: string | undefined;
  pageToken: string | undefined;
}

/** Where the next page begins: a date, and the first point of it that is no newer than `at`. */
interface Cursor {
  date: string;
  at: number | null;
  skip: number;
}

/** A page of points, newest first. */
export function listPoints(
  frame: Frame,
  life: Life,
  type: DataType,
  query: ListQuery,
  isWanted: (point: PlacedPoint) => boolean,
): { points: PlacedPoint[]; nextPageToken: string | null } {
  const { matches, firstDate, lastDate } = parseFilter(type, query.filter);
  const size = readPageSize(type, query.pageSize);
  const stamp = createHash('sha256').update(`${type.name} ${query.filter}`).digest('base64url').slice(0, 12);
  const cursor = query.pageToken === undefined ? null : readToken(query.pageToken, stamp);
  const since = memberSince(frame, life.person);
  const first = firstDate !== null && firstDate > since ? firstDate : since;
  const today = addDays(dateAt(life.person, frame.now()), 1);
  const points: PlacedPoint[] = [];
  let date = cursor?.date ?? (lastDate !== null && lastDate < today ? lastDate : today);
  for (
    let scannedCount = 0;
    date >= first && scannedCount < datesAPage;
    scannedCount += 1, date = addDays(date, -1)
  ) {
    const after = cursor?.date === date ? cursor : null;
    let [at, rank] = [Number.NaN, 0];
    const matchingPoints = pointsOf(frame, life, type.name, date).filter(
      (point) => matches(point) && isWanted(point),
    );
    for (const point of matchingPoints.toSorted((a, b) => momentOf(type, b) - momentOf(type, a))) {
      rank = momentOf(type, point) === at ? rank + 1 : 0;
      at = momentOf(type, point);
      if (after && after.at !== null && (at > after.at || (at === after.at && rank < after.skip))) continue;
      if (points.length === size)
        return { points, nextPageToken: writeToken(stamp, { date, at, skip: rank }) };
      points.push(point);
    }
  }
  return { points, nextPageToken: date >= first ? writeToken(stamp, { date, at: null, skip: 0 }) : null };
}

function momentOf(type: DataType, { start, end }: PlacedPoint): number {
  return type.name === 'sleep' ? end : start;
}

/** Sizes above the maximum return the maximum. */
function readPageSize({ pageSize }: DataType, text: string | undefined): number {
  const size = Number(text ?? 0);
  if (!Number.isInteger(size) || size < 0)
    throw new GoogleRefusal(400, 'pageSize must be a non-negative integer.');
  return size === 0 ? pageSize.default : Math.min(size, pageSize.most);
}

function writeToken(stamp: string, { date, at, skip }: Cursor): string {
  return Buffer.from(JSON.stringify([stamp, date, at, skip])).toString('base64url');
}

function readToken(token: string, stamp: string): Cursor {
  try {
    const [tokenStamp, date, at, skip] = JSON.parse(
      Buffer.from(token, 'base64url').toString('utf8'),
    ) as unknown[];
    const isPlace = (at === null || typeof at === 'number') && typeof skip === 'number';
    if (tokenStamp === stamp && typeof date === 'string' && /^\d{4}-\d\d-\d\d$/.test(date) && isPlace)
      return { date, at, skip };
  } catch {
    // Falls through to the error below.
  }
  throw new GoogleRefusal(
    400,
    'pageToken does not belong to this list. Repeat the parameters of the first page, or start again.',
  );
}
