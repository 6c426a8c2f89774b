import { dayOf, daysIn } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { readCanonicalValues } from '../../store/layers/canonical-values.ts';
import type { Queryable } from '../../store/database/database.ts';
import { insertEvents } from '../../store/events/events.ts';
import type { LockedUser } from '../../store/layers/rebuild.ts';
import { describeChangedDays } from '../events/changed-days.ts';
import { rebuildUser } from '../layers/rebuild-user.ts';
import { markHistoryStale } from '../scores/mark-history-stale.ts';
import { compareCanonicalValues } from './compare-canonical-values.ts';

/** Rebuilds the layers of a locked user, and inserts an event for the canonical values that changed, if any. */
export async function rebuildAndNotify(
  ctx: Pick<Context, 'newId' | 'clock' | 'config' | 'rawPayloads'>,
  tx: Queryable,
  { userId, accountId, environment, timezones }: LockedUser,
  cause: { from: 'raw' | 'normalized'; change: 'updated' | 'deleted'; deviceId: string | null },
): Promise<{ changed: boolean }> {
  const before = await readCanonicalValues(tx, userId);
  const { changed } = await rebuildUser(ctx, tx, userId, cause.from);
  const difference = changed ? compareCanonicalValues(before, await readCanonicalValues(tx, userId)) : null;
  if (!difference) return { changed };
  const { metrics, firstDay, lastDay } = difference;
  const range = { from: firstDay, to: lastDay };
  await markHistoryStale(ctx, tx, userId, daysIn(range));
  await insertEvents(tx, [
    {
      id: ctx.newId(),
      accountId,
      environment,
      userId,
      type: 'data.updated',
      deviceId: cause.deviceId,
      metrics,
      data: describeChangedDays(cause.change, range, dayOf(ctx.clock.now(), timezones)),
    },
  ]);
  return { changed };
}
