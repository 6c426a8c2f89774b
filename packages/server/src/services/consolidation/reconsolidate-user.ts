import { formatDay } from '@tributary/domain';
import type { Context } from '../../context.ts';
import type { Queryable } from '../../store/database/database.ts';
import { insertEvents } from '../../store/events/events.ts';
import { inLongTransaction } from '../../store/database/long-transaction.ts';
import { lockUser } from '../../store/layers/rebuild.ts';
import { touchUser } from '../../store/users/read.ts';
import { awaitBatchesUnderWay } from '../batches/await-batches-under-way.ts';
import { applyEffect } from '../layers/apply-effects.ts';
import { consolidateDays } from '../layers/consolidate-days.ts';
import { decideAll } from '../layers/decide-sessions.ts';
import { loadAllDays } from '../layers/load-layers.ts';
import { sleepRules } from '../layers/sleep-rules.ts';
import { UserState } from '../layers/user-state.ts';
import { writeLayers } from '../layers/write-layers.ts';
import { markHistoryStale } from '../scores/mark-history-stale.ts';

/**
 * Recomputes all canonical values of a user from the normalized layer with the current settings, and inserts an event if any value changed. Days are
 * not split again, and workouts do not depend on settings.
 */
export async function reconsolidateUser(
  ctx: Pick<Context, 'operator' | 'newId' | 'metrics' | 'config'>,
  userId: string,
): Promise<void> {
  await awaitBatchesUnderWay(ctx); // one of them may still use the previous settings
  await inLongTransaction(ctx.operator, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user) return;
    const state = new UserState(user, user.devices ?? []);
    await loadAllDays(tx, state);
    for (const effect of await decideAll(tx, state, sleepRules)) applyEffect(effect);
    await consolidateDays(tx, state);
    await writeLayers(tx, [state]);
    if (state.scores.days.size > 0) await markHistoryStale(ctx, tx, userId, state.scores.days);
    await recordChanges(ctx, tx, state);
  });
  ctx.metrics.reconsolidations.inc();
}

async function recordChanges(
  ctx: Pick<Context, 'newId'>,
  tx: Queryable,
  {
    user: { userId, accountId, environment },
    changed,
    reported: { metrics, first, last },
    mergedSessionsChanged,
  }: UserState,
): Promise<void> {
  if (changed.first <= changed.last || mergedSessionsChanged) await touchUser(tx, userId);
  if (first > last) return;
  await insertEvents(tx, [
    {
      id: ctx.newId(),
      accountId,
      environment,
      userId,
      type: 'subject.synced',
      deviceId: null,
      metrics: [...metrics].sort((a, b) => a - b),
      data: {
        change: 'updated',
        first_date: formatDay(first),
        last_date: formatDay(last),
        backfill: false,
      },
    },
  ]);
}
