import { ApiError } from '@tributary/contract';
import type { EffectiveFrom } from '@tributary/domain';
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
import { moveUser } from './move-user.ts';
import { userNotFound } from './user-not-found.ts';

export interface UserUpdate extends Omit<UserChanges, 'timezone'> {
  timezone?: {
    /** Null means UTC. */
    name: string | null;
    /** Null if the client did not choose. */
    effectiveFrom: EffectiveFrom | null;
  };
}

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
  { timezone, ...other }: UserUpdate,
): Promise<UserDetail> {
  checkBirthDate(ctx.clock, other.profile?.['birth_date'] as string | null | undefined);
  return asTenant(ctx.db, acting, async (tx) => {
    const locked = lockUserSettings(tx, acting, id);
    // Only a new time zone depends on the settings. Otherwise, both statements are pipelined.
    const settings = timezone ? await locked : null;
    const move = timezone && settings ? moveUser(ctx.clock, settings, timezone) : null;
    const changes = move ? { ...other, timezone: move.timezone } : other;
    const [before, after] = await Promise.all([
      locked,
      update(tx, acting, id, changes).catch((error: { code?: string }) => {
        if (error.code === '23505') throw new ApiError('reference_id_taken', { cause: error });
        throw error;
      }),
    ]);
    if (!before || !after) throw userNotFound(formatId('user', id));
    if (move?.changesDays) await ctx.jobs.enqueue(tx, 'recut-user', { key: id, data: { userId: id } });
    if (scoredBy.some((field) => other.profile?.[field] !== undefined))
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
function namedSettings({
  referenceId,
  timezone,
  timezones,
  profile,
}: Pick<UserSettings, 'referenceId' | 'timezone' | 'timezones' | 'profile'>): Record<string, unknown> {
  const fields = Object.entries(profile).map(([name, value]) => [`profile.${name}`, value]);
  return { reference_id: referenceId, timezone: [timezone, timezones], ...Object.fromEntries(fields) };
}
