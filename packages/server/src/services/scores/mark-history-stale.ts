import type { DayNumber } from '@tributary/domain';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../store/database.ts';
import { markScoresStale } from '../../store/stale-scores.ts';
import { scoreWaits } from './score-waits.ts';

/** Notes that history was worked out again: the scores of these days are shown without delay. */
export async function markHistoryStale(
  ctx: Pick<Context, 'config'>,
  tx: Queryable,
  userId: string,
  days: Iterable<DayNumber>,
): Promise<void> {
  await markScoresStale(tx, [{ userId, days, urgentDays: days, calmDay: null }], scoreWaits(ctx.config));
}
