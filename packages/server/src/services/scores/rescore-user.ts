import { daysIn } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../store/database.ts';
import { lockUser } from '../../store/rebuild.ts';
import { readScoredRange } from '../../store/score-days.ts';
import { markHistoryStale } from './mark-history-stale.ts';

/** Has all scores of a user worked out again, because the person is another one than the profile said: older, heavier, with another heart. */
export async function rescoreUser(ctx: Pick<Context, 'operator' | 'config'>, userId: string): Promise<void> {
  await inTransaction(ctx.operator, async (tx) => {
    if (!(await lockUser(tx, userId))) return;
    const range = await readScoredRange(tx, userId);
    if (!range) return;
    await markHistoryStale(ctx, tx, userId, daysIn(range));
  });
}
