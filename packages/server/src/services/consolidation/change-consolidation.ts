import {
  changeSettings,
  effectiveSettings,
  type EffectiveSettings,
  type ConsolidationSettings,
} from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/acting.ts';
import {
  findConsolidation,
  updateConsolidation,
  type ConsolidationState,
} from '../../store/consolidation.ts';
import { asTenant } from '../../store/tenant.ts';
import { lockUser } from '../../store/users.ts';
import { record } from '../audit/record.ts';
import { userNotFound } from '../users/user-not-found.ts';
import { describeSettingsChange } from './describe-settings-change.ts';

/** What became of a change, and what is in force now. */
export interface SettingsChange {
  changed: boolean;
  configuration: EffectiveSettings;
}

/**
 * Stores what `change` makes of a user's settings, and has the history follow, both or neither. Changes of one user wait for one another, so
 * that none is lost. Throws `user_not_found`.
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
    // Read by a statement of its own: it sees what was committed while this one waited for the lock.
    const before = isThere ? await findConsolidation(tx, acting, userId) : null;
    if (!before) throw userNotFound(formatId('user', userId), 'user_not_found');
    const settings = change(before);
    // The database keeps the keys of an object in an order of its own.
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
    return { changed, configuration: effectiveSettings(settings, before.providers) };
  });
}
