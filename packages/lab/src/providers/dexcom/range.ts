import type { FastifyRequest } from 'fastify';
import { queryMoment } from './admit.ts';
import { DexcomRefusal } from './refusal.ts';

const longestMs = 30 * 86_400_000;

/** A range of system time. Its end is exclusive, which is an assumption. */
export interface Range {
  start: number;
  end: number;
}

/** Both ends are required, at most thirty days apart. */
export function readRange(request: FastifyRequest): Range {
  const start = queryMoment(request, 'startDate');
  const end = queryMoment(request, 'endDate');
  if (start === undefined || end === undefined)
    throw new DexcomRefusal(400, 'invalid_request', 'startDate and endDate are both required.');
  if (start > end) throw new DexcomRefusal(400, 'invalid_request', 'startDate must not be after endDate.');
  if (end - start > longestMs)
    throw new DexcomRefusal(400, 'invalid_request', 'startDate and endDate are more than 30 days apart.');
  return { start, end };
}
