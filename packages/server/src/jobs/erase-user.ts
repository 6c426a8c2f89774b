import type { PgBoss } from 'pg-boss';
import type { Context } from '../context.ts';
import { endConsent } from '../services/connections/end-consent.ts';
import { eraseUser } from '../services/users/erase-user.ts';
import { listConsentsOfUser } from '../store/connections.ts';
import { workOn } from './work-on.ts';

/** After the deletion of a user: providers are told, and everything that is kept of the user goes. */
export function workOnErasures(ctx: Context, boss: PgBoss): Promise<void> {
  return workOn(ctx, boss, 'erase-user', { atOnce: 2 }, async ({ userId }) => {
    const consents = await listConsentsOfUser(ctx.operator, userId);
    const ended = await Promise.allSettled(consents.map((consent) => endConsent(ctx, consent)));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    const removed = await eraseUser(ctx, userId);
    if (removed) ctx.log.info({ removed }, 'user erased');
  });
}
