import { effectiveSettings, type EffectiveSettings } from '@tributary/domain';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { findConsolidation } from '../../store/users/consolidation.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { userNotFound } from '../users/user-not-found.ts';

/** Returns the effective settings of a user. Throws `user_not_found`. */
export async function getConsolidation(
  ctx: Pick<Context, 'db'>,
  tenant: Tenant,
  userId: string,
): Promise<EffectiveSettings> {
  const consolidation = await findConsolidation(ctx.db, tenant, userId);
  if (!consolidation) throw userNotFound(formatId('user', userId), 'user_not_found');
  return effectiveSettings(consolidation.settings, consolidation.providers);
}
