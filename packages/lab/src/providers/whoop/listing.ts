import type { FastifyRequest } from 'fastify';
import { addDays, dateAt } from '../../world/people/local-time.ts';
import type { Frame } from '../../provider.ts';
import type { Life } from '../life.ts';
import { queryValue } from './admit.ts';
import { WhoopRefusal } from './refusal.ts';

/** No simulated user had a strap before this date. */
const firstDate = '2020-01-01';
const defaultLimit = 10;
const mostLimit = 25;

/** A record and the time by which it is filtered and sorted. */
export interface Placed {
  at: number;
  record: Record<string, unknown>;
}

/** A page of records, newest first. A token continues with the range of the first page. The limit may change. */
export function listRecords(
  frame: Frame,
  life: Life,
  request: FastifyRequest,
  recordsOf: (date: string) => Placed[],
): Record<string, unknown> {
  const limit = readLimit(queryValue(request, 'limit'));
  const { start, end } = readRange(request, frame.now());
  const page: Placed[] = [];
  const { person } = life;
  const last =
    start === null ? firstDate : addDays(dateAt(person, Math.max(start, Date.parse(firstDate))), -1);
  // A night that began yesterday belongs to today, so the scan covers one more date on each side.
  let date = addDays(dateAt(person, Math.max(Date.parse(firstDate), Math.min(end, frame.now()))), 1);
  for (; date >= last && page.length <= limit; date = addDays(date, -1)) {
    const matches = recordsOf(date).filter(({ at }) => at < end && (start === null || at >= start));
    page.push(...matches.toSorted((a, b) => b.at - a.at));
  }
  const records = page.slice(0, limit);
  const lastAt = records.at(-1)?.at;
  return {
    records: records.map(({ record }) => record),
    // Absent on the last page.
    ...(page.length > limit && lastAt !== undefined && { next_token: writeToken(start, lastAt) }),
  };
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return defaultLimit;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostLimit)
    throw new WhoopRefusal(400, 'bad_request', `limit must be an integer from 1 to ${mostLimit}.`);
  return limit;
}

function readRange(request: FastifyRequest, now: number): { start: number | null; end: number } {
  const token = queryValue(request, 'nextToken');
  if (token !== undefined) return readToken(token);
  const start = readMoment('start', queryValue(request, 'start'));
  const end = readMoment('end', queryValue(request, 'end')) ?? now;
  if (start !== null && start > end)
    throw new WhoopRefusal(400, 'bad_request', 'start must not be after end.');
  return { start, end };
}

function readMoment(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const moment = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment))
    throw new WhoopRefusal(
      400,
      'bad_request',
      `${name} must be a timestamp such as 2026-03-29T04:45:00.000Z.`,
    );
  return moment;
}

/** The end is exclusive, so the time of the last record is the end of the remaining range. */
function writeToken(start: number | null, end: number): string {
  return Buffer.from(JSON.stringify([start, end])).toString('base64url');
}

function readToken(token: string): { start: number | null; end: number } {
  try {
    const [start, end] = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as unknown[];
    if ((start === null || isMoment(start)) && isMoment(end)) return { start, end };
  } catch {
    // Falls through to the error below.
  }
  throw new WhoopRefusal(400, 'bad_request', 'Unknown nextToken. Start again without it.');
}

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && Math.abs(value) < 8e15;
}
