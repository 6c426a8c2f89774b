import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { actingByItself } from '../../store/acting.ts';
import { inTransaction } from '../../store/database.ts';
import { deleteOldInvitations } from '../../store/old-invitations.ts';
import { record } from '../audit/record.ts';

const mostAtOnce = 500;

/** Forgets people who were asked and did not accept, some time after their invitation ended; says how many invitations went. */
export async function forgetInvitations(
  ctx: Pick<Context, 'config' | 'newId' | 'operator'>,
): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const gone = await inTransaction(ctx.operator, async (tx) => {
      const old = await deleteOldInvitations(tx, ctx.config.roster.invitationRetentionDays, mostAtOnce);
      for (const { userId, forgotten: isForgotten, ...tenant } of old)
        if (isForgotten)
          await record(ctx, tx, actingByItself(tenant, 'forget-invitations'), {
            action: 'person.forgotten',
            target: { type: 'user', id: formatId('user', userId) },
          });
      return old.length;
    });
    forgotten += gone;
    if (gone < mostAtOnce) return forgotten;
  }
}
