import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { asTenant } from '../../store/database/tenant.ts';
import {
  findUserDetail,
  updateUser as update,
  type UserChanges,
  type UserDetail,
} from '../../store/users/users.ts';
import { lockUserSettings, type UserSettings } from '../../store/users/locks.ts';
import { changedFields } from '../audit/changed-fields.ts';
import { record } from '../audit/record.ts';
import { checkBirthDate } from './check-birth-date.ts';
import { userNotFound } from './user-not-found.ts';

/** The profile fields that scores depend on. */
const scoredBy = ['birth_date', 'sex', 'weight_kg', 'max_heart_rate'];

/**
 * Applies a partial update. A new time zone enqueues splitting the days again, a new profile value rescoring, and a new height recomputing the
 * values derived from it. Throws `not_found` or `reference_id_taken`.
 */
export function updateUser(
  ctx: Context,
  acting: Acting,
  id: string,
  changes: UserChanges,
): Promise<UserDetail> {
  checkBirthDate(ctx.clock, changes.profile?.['birth_date'] as string | null | undefined);
  return asTenant(ctx.db, acting, async (tx) => {
    const [before, after] = await Promise.all([
      lockUserSettings(tx, acting, id),
      update(tx, acting, id, changes).catch((error: { code?: string }) => {
        if (error.code === '23505') throw new ApiError('reference_id_taken', { cause: error });
        throw error;
      }),
    ]);
    if (!before || !after) throw userNotFound(formatId('user', id));
    const { timezone } = changes;
    if (timezone !== undefined && (before.timezone ?? 'UTC') !== (timezone ?? 'UTC'))
      await ctx.jobs.enqueue(tx, 'recut-user', { key: id, data: { userId: id } });
    if (scoredBy.some((field) => changes.profile?.[field] !== undefined))
      await ctx.jobs.enqueue(tx, 'rescore-user', { key: id, data: { userId: id } });
    if (changes.profile?.['height_cm'] !== undefined)
      await ctx.jobs.enqueue(tx, 'reconsolidate-user', { key: id, data: { userId: id } });
    const user = await findUserDetail(tx, acting, id);
    if (!user) throw userNotFound(formatId('user', id));
    const fields = changedFields(namedSettings(before), namedSettings(user));
    if (fields.length > 0)
      await record(ctx, tx, acting, {
        action: 'user.updated',
        target: { type: 'user', id: formatId('user', id) },
        data: { fields },
        person: id,
        text: fields.includes('reference_id') ? { reference_id: user.referenceId } : {},
      });
    return user;
  });
}

/** Uses the API's field names. The values are personal data and stay out of the audit log. */
function namedSettings({ referenceId, timezone, profile }: UserSettings): Record<string, unknown> {
  const fields = Object.entries(profile).map(([name, value]) => [`profile.${name}`, value]);
  return { reference_id: referenceId, timezone, ...Object.fromEntries(fields) };
}
