import { dayOf } from '@tributary/domain';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { DayChoice } from '../../services/daily/read-daily.ts';
import { userNotFound } from '../../services/users/user-not-found.ts';
import type { ReadUser } from '../../store/users/read.ts';
import { callerOf } from '../frame/auth.ts';
import { resolveDays, type RequestedDays } from './date-range.ts';

/** The days that a request selects. A range that ends today depends on the user. */
export async function chooseDays(
  ctx: Context,
  request: FastifyRequest,
  userId: string,
  requestedDays: RequestedDays,
): Promise<DayChoice> {
  const nowMs = ctx.clock.now();
  const resolve = (user: ReadUser) => (request.readDays = resolveDays(requestedDays, user, nowMs));
  const { tenant } = callerOf(request);
  if (requestedDays.to !== null)
    return { widest: resolveDays(requestedDays, { timezones: 'UTC', daysAhead: 0 }, nowMs), resolve };
  // A sandbox user has its own today, which is read first.
  if (tenant.environment === 'sandbox') {
    const user = await ctx.versions.find(tenant, userId);
    if (!user) throw userNotFound((request.params as { id: string }).id);
    return { widest: resolve(user), resolve };
  }
  // Today differs from today in UTC by at most a day anywhere, so a range that is too long everywhere is rejected before the user is read.
  const today = dayOf(nowMs, 'UTC');
  const from = Math.max(requestedDays.from ?? today - 30, today - requestedDays.most - 1);
  return { widest: { from: Math.min(from, today + 1), to: today + 1 }, resolve };
}
