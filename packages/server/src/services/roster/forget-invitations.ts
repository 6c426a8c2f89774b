import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { actingByItself } from '../../store/audit/actor.ts';
import { inTransaction } from '../../store/database/database.ts';
import { deleteOldInvitations } from '../../store/roster/old-invitations.ts';
import { record } from '../audit/record.ts';

const mostAtOnce = 500;

/** Deletes people who were invited and did not accept, some time after their invitation ended. Returns the number of deleted invitations. */
export async function forgetInvitations(
  ctx: Pick<Context, 'config' | 'newId' | 'operator'>,
): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const deletedCount = await inTransaction(ctx.operator, async (tx) => {
      const old = await deleteOldInvitations(tx, ctx.config.roster.invitationRetentionDays, mostAtOnce);
      for (const { userId, forgotten: isForgotten, ...tenant } of old)
        if (isForgotten)
          await record(ctx, tx, actingByItself(tenant, 'forget-invitations'), {
            action: 'person.forgotten',
            target: { type: 'user', id: formatId('user', userId) },
          });
      return old.length;
    });
    forgotten += deletedCount;
    if (deletedCount < mostAtOnce) return forgotten;
  }
}
