import { daysIn } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../store/database/database.ts';
import { lockUser } from '../../store/layers/rebuild.ts';
import { readScoredRange } from '../../store/scores/days.ts';
import { markHistoryStale } from './mark-history-stale.ts';

/** Marks all scores of a user as stale after a profile change, such as a new birth date, weight or maximum heart rate. */
export async function rescoreUser(ctx: Pick<Context, 'operator' | 'config'>, userId: string): Promise<void> {
  await inTransaction(ctx.operator, async (tx) => {
    if (!(await lockUser(tx, userId))) return;
    const range = await readScoredRange(tx, userId);
    if (!range) return;
    await markHistoryStale(ctx, tx, userId, daysIn(range));
  });
}
