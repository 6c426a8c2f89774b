import type { Context } from '../../context.ts';
import type { Tenant } from '../../store/tenant.ts';
import { changeConsolidation, type SettingsChange } from './change-consolidation.ts';

/** Leaves nothing but what the catalog says; throws `user_not_found`. */
export function resetConsolidation(
  ctx: Pick<Context, 'db' | 'jobs'>,
  tenant: Tenant,
  userId: string,
): Promise<SettingsChange> {
  return changeConsolidation(ctx, tenant, userId, () => ({}));
}
