import {
  changeSettings,
  effectiveSettings,
  type EffectiveSettings,
  type ConsolidationSettings,
} from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import {
  findConsolidation,
  updateConsolidation,
  type ConsolidationState,
} from '../../store/users/consolidation.ts';
import { asTenant } from '../../store/database/tenant.ts';
import { lockUser } from '../../store/users/users.ts';
import { record } from '../audit/record.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { describeSettingsChange } from './describe-settings-change.ts';

/** The outcome of a change, and the settings now in effect. */
export interface SettingsChange {
  /** Whether the history is yet to be recomputed, for this change or an earlier one. */
  isRebuilding: boolean;
  configuration: EffectiveSettings;
}

/**
 * Stores the result of `change` and enqueues the recompute in one transaction. Changes for one user are serialized, so that none is lost. Throws
 * `user_not_found`.
 */
export function changeConsolidation(
  ctx: Pick<Context, 'db' | 'jobs' | 'newId'>,
  acting: Acting,
  userId: string,
  action: 'consolidation.updated' | 'consolidation.reset',
  change: (before: ConsolidationState) => ConsolidationSettings,
): Promise<SettingsChange> {
  return asTenant(ctx.db, acting, async (tx) => {
    const isThere = await lockUser(tx, acting, userId);
    // A separate statement, so that it sees what was committed while the lock was awaited.
    const before = isThere ? await findConsolidation(tx, acting, userId) : null;
    if (!before) throw userNotFound(formatId('user', userId), 'user_not_found');
    const settings = change(before);
    // PostgreSQL reorders the keys of a JSON object, so normalize them before comparing.
    const changed = JSON.stringify(changeSettings(before.settings, {})) !== JSON.stringify(settings);
    if (changed) {
      await updateConsolidation(tx, acting, userId, settings);
      await ctx.jobs.enqueue(tx, 'reconsolidate-user', { key: userId, data: { userId } });
      await record(ctx, tx, acting, {
        action,
        target: { type: 'user', id: formatId('user', userId) },
        data: describeSettingsChange(before.settings, settings),
      });
    }
    const isRebuilding = changed || (await ctx.jobs.hasUnfinished(tx, 'reconsolidate-user', userId));
    return { isRebuilding, configuration: effectiveSettings(settings, before.providers) };
  });
}
