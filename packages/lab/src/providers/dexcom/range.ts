import type { FastifyRequest } from 'fastify';
import { queryMoment } from './admit.ts';
import { DexcomRefusal } from './refusal.ts';

const longestMs = 30 * 86_400_000;

/** A stretch of the time of the system. Its end is left out, which is a reading. */
export interface Range {
  start: number;
  end: number;
}

/** Both ends have to be given, and are at most thirty days apart. */
export function readRange(request: FastifyRequest): Range {
  const start = queryMoment(request, 'startDate');
  const end = queryMoment(request, 'endDate');
  if (start === undefined || end === undefined)
    throw new DexcomRefusal(400, 'invalid_request', 'Give both startDate and endDate.');
  if (start > end) throw new DexcomRefusal(400, 'invalid_request', 'startDate lies after endDate.');
  if (end - start > longestMs)
    throw new DexcomRefusal(400, 'invalid_request', 'startDate and endDate are more than 30 days apart.');
  return { start, end };
}
