import type { DayRange } from '@tributary/domain';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { openPage, type OpenPage, type SessionList } from '../../services/sessions/open-page.ts';
import type { NamedDays } from '../../services/sessions/read-page.ts';
import type { ReadUser } from '../../store/users/read.ts';
import { callerOf } from '../frame/auth.ts';
import { defaultSpan, readDays, resolveDays } from './date-range.ts';
import { userIdOf } from './user-id.ts';

interface PageQuery {
  from_date?: string;
  to_date?: string;
  limit?: number;
  cursor?: string;
  include_sources?: boolean;
}

/** The longest range of sessions, in days. */
const mostDays = 366;

/** The parameters of a Form 2 request that do not depend on the user. */
export function readPageRequest(
  ctx: Context,
  request: FastifyRequest,
  list: SessionList,
): { userId: string; page: OpenPage; days: NamedDays; rangeFor: (user: ReadUser) => DayRange } {
  const query = request.query as PageQuery;
  const nowMs = ctx.clock.now();
  const requestedDays = readDays(query, 2, mostDays);
  const userId = userIdOf((request.params as { id: string }).id);
  const page = openPage(ctx, callerOf(request).tenant, list, userId, {
    from: requestedDays.from,
    to: requestedDays.to,
    limit: query.limit,
    includeSources: query.include_sources,
    cursor: query.cursor,
  });
  return {
    userId,
    page,
    days: { from: requestedDays.from, to: requestedDays.to, defaultSpan, nowMs },
    rangeFor: (user) => (request.readDays = page.range ?? resolveDays(requestedDays, user, nowMs)),
  };
}

/** The days of a Form 1 request, which requires both dates. */
export function readRange(request: FastifyRequest): DayRange {
  const { from, to } = readDays(request.query as object, 1, mostDays);
  return { from: from!, to: to! };
}
