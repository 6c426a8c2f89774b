import { dayOf, formatDay } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { readAnswers } from '../../store/answers.ts';
import type { Queryable } from '../../store/database.ts';
import { insertEvents } from '../../store/events.ts';
import type { LockedUser } from '../../store/rebuild.ts';
import { rebuildUser } from '../layers/rebuild-user.ts';
import { compareAnswers } from './compare-answers.ts';

/** As with uploads: what ends this many days ago was not measured just now. */
const backfillAfterDays = 3;

/** Decides all answers of a locked user again from what the devices say, and tells which of them are different now. */
export async function rebuildAndTell(
  ctx: Pick<Context, 'newId' | 'clock'>,
  tx: Queryable,
  { userId, accountId, environment, timezone }: LockedUser,
  cause: { change: 'updated' | 'deleted'; deviceId: string | null },
): Promise<void> {
  const before = await readAnswers(tx, userId);
  const { changed } = await rebuildUser(ctx, tx, userId, 'normalized');
  const difference = changed ? compareAnswers(before, await readAnswers(tx, userId)) : null;
  if (!difference) return;
  const { metrics, firstDay, lastDay } = difference;
  const data = {
    change: cause.change,
    first_date: formatDay(firstDay),
    last_date: formatDay(lastDay),
    backfill: lastDay < dayOf(ctx.clock.now(), timezone) - backfillAfterDays,
  };
  await insertEvents(tx, [
    {
      id: ctx.newId(),
      accountId,
      environment,
      userId,
      type: 'data.updated',
      deviceId: cause.deviceId,
      metrics,
      data,
    },
  ]);
}
