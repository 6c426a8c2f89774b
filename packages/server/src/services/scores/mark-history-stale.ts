import type { DayNumber } from '@tributary/domain';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../store/database/database.ts';
import { markScoresStale } from '../../store/scores/stale.ts';
import { scoreWaits } from './score-waits.ts';

/** Marks the scores of recomputed history as stale, to be published without delay. */
export async function markHistoryStale(
  ctx: Pick<Context, 'config'>,
  tx: Queryable,
  userId: string,
  days: Iterable<DayNumber>,
): Promise<void> {
  await markScoresStale(tx, [{ userId, days, urgentDays: days, calmDay: null }], scoreWaits(ctx.config));
}
