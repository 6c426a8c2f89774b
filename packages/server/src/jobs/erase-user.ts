import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { endConsent } from '../services/connections/end-consent.ts';
import { eraseUser } from '../services/users/erase-user.ts';
import { listConsentsOfUser } from '../store/connections/connections.ts';
import { processJobs } from './process-jobs.ts';

/** Runs after a user is deleted: revokes consents with providers and erases all data of the user. */
export function processErasures(ctx: Context, boss: PgBoss): Promise<void> {
  return processJobs(ctx, boss, 'erase-user', { atOnce: 2 }, async ({ userId }) => {
    const consents = await listConsentsOfUser(ctx.operator, userId);
    const ended = await Promise.allSettled(consents.map((consent) => endConsent(ctx, consent)));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    const removed = await eraseUser(ctx, userId);
    if (removed) ctx.log.info({ removed }, 'user erased');
  });
}
