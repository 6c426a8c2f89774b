import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { asTenant, type Tenant } from '../../store/tenant.ts';
import {
  findUserDetail,
  updateUser as update,
  type UserChanges,
  type UserDetail,
} from '../../store/users.ts';
import { lockTimezone } from '../../store/user-locks.ts';
import { checkBirthDate } from './check-birth-date.ts';
import { userNotFound } from './user-not-found.ts';

/** What of a profile scores go by. */
const scoredBy = ['birth_date', 'sex', 'weight_kg', 'max_heart_rate'];

/** Changes only what is given, and has days cut anew for another timezone, or scores worked out again for another person; throws `not_found` or `reference_id_taken`. */
export function updateUser(
  ctx: Context,
  tenant: Tenant,
  id: string,
  changes: UserChanges,
): Promise<UserDetail> {
  checkBirthDate(ctx.clock, changes.profile?.['birth_date'] as string | null | undefined);
  return asTenant(ctx.db, tenant, async (tx) => {
    const { timezone } = changes;
    const before = timezone === undefined ? null : await lockTimezone(tx, tenant, id);
    const found = await update(tx, tenant, id, changes).catch((error: { code?: string }) => {
      if (error.code === '23505') throw new ApiError('reference_id_taken', { cause: error });
      throw error;
    });
    if (found && before !== null && before !== (timezone ?? 'UTC'))
      await ctx.jobs.enqueue(tx, 'recut-user', { key: id, data: { userId: id } });
    if (found && scoredBy.some((field) => changes.profile?.[field] !== undefined))
      await ctx.jobs.enqueue(tx, 'rescore-user', { key: id, data: { userId: id } });
    const user = found ? await findUserDetail(tx, tenant, id) : null;
    if (!user) throw userNotFound(formatId('user', id));
    return user;
  });
}
