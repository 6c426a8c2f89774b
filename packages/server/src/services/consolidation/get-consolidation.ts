import { effectiveSettings, type EffectiveSettings } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { findConsolidation } from '../../store/consolidation.ts';
import type { Tenant } from '../../store/tenant.ts';
import { userNotFound } from '../users/user-not-found.ts';

/** What is in force for a user; throws `user_not_found`. */
export async function getConsolidation(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
): Promise<EffectiveSettings> {
  const found = await findConsolidation(ctx.db, tenant, userId);
  if (!found) throw userNotFound(formatId('user', userId), 'user_not_found');
  return effectiveSettings(found.settings, found.providers);
}
