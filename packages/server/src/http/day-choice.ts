import { dayOf } from '@tributary/domain';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { DayChoice } from '../services/daily/read-daily.ts';
import { userNotFound } from '../services/users/user-not-found.ts';
import type { ReadUser } from '../store/user-read.ts';
import { callerOf } from './auth.ts';
import { resolveDays, type AskedDays } from './date-range.ts';

/** Which days a request means. Where the last one is today, the user decides which that is. */
export async function chooseDays(
  ctx: Context,
  request: FastifyRequest,
  userId: string,
  asked: AskedDays,
): Promise<DayChoice> {
  const nowMs = ctx.clock.now();
  const resolve = (user: ReadUser) => resolveDays(asked, user, nowMs);
  const { tenant } = callerOf(request);
  if (asked.to !== null)
    return { widest: resolveDays(asked, { timezone: 'UTC', daysAhead: 0 }, nowMs), resolve };
  // The today of a sandbox user is its own, and is asked for first.
  if (tenant.environment === 'sandbox') {
    const user = await ctx.versions.find(tenant, userId);
    if (!user) throw userNotFound((request.params as { id: string }).id);
    return { widest: resolve(user), resolve };
  }
  // Nowhere on earth is today further than a day from today in UTC. A range that is too long everywhere is refused before it would be read.
  const today = dayOf(nowMs, 'UTC');
  const from = Math.max(asked.from ?? today - 30, today - asked.most - 1);
  return { widest: { from: Math.min(from, today + 1), to: today + 1 }, resolve };
}
