import { advanceLimits, ApiError } from '@tributary/contract';
import { addDays } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import {
  insertSandboxBatches,
  listProviders,
  lockSandboxUser,
  updateSandboxUser,
} from '../../store/sandbox/sandbox.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { findUserDetail, type UserDetail } from '../../store/users/users.ts';
import { record } from '../audit/record.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { awaitReadiness } from './await-readiness.ts';
import { makeUploads } from './make-uploads.ts';

/**
 * Advances a sandbox user by some days and inserts what its devices report, in one transaction. Returns once data and scores are up to date. Throws
 * `not_found`, also for users that are not simulated.
 */
export async function advanceUser(
  ctx: Context,
  acting: Acting,
  userId: string,
  days: number,
): Promise<UserDetail> {
  const notFound = () => userNotFound(formatId('user', userId));
  if (acting.environment !== 'sandbox') throw notFound();
  const reported = await asTenant(ctx.db, acting, async (tx) => {
    const user = await lockSandboxUser(tx, acting, userId);
    if (!user?.person) throw notFound();
    const daysAhead = user.daysAhead + days;
    if (daysAhead > advanceLimits.daysAhead) throw tooFar(user.daysAhead);
    const toMs = addDays(ctx.clock.now(), user.timezones, daysAhead);
    // A removed device does not come back on its own, and a connected one reports what its provider has.
    const providers = await listProviders(tx, userId);
    const uploads = await makeUploads(ctx, user.person, { timezone: user.timezones, toMs, providers });
    const untilMs = Math.max(user.person.untilMs, toMs);
    await updateSandboxUser(tx, acting, userId, { daysAhead, person: { ...user.person, untilMs } });
    await insertSandboxBatches(tx, userId, await ctx.rawPayloads.encryptAll(userId, uploads));
    if (days > 0 || uploads.length > 0)
      await record(ctx, tx, acting, {
        action: 'user.advanced',
        target: { type: 'user', id: formatId('user', userId) },
        data: { days },
      });
    return uploads.length > 0;
  });
  if (reported) {
    ctx.announce([{ userId }]);
    await awaitReadiness(ctx, acting, userId);
  }
  const user = await findUserDetail(ctx.db, acting, userId);
  if (!user) throw notFound(); // deleted in the meantime
  return user;
}

function tooFar(daysAhead: number): ApiError {
  const problem = `must keep the user at most ${advanceLimits.daysAhead} days ahead. The user is ${daysAhead} days ahead now`;
  return new ApiError('invalid_request', {
    message: `Body field \`days\` ${problem}.`,
    details: { fields: [{ in: 'body', name: 'days', problem }] },
  });
}
