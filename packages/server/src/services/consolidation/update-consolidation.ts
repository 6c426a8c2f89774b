import { changeSettings, type SettingsPatch } from '@tributary/domain';
import type { Context } from '../../context.ts';
import type { Tenant } from '../../store/tenant.ts';
import { changeConsolidation, type SettingsChange } from './change-consolidation.ts';
import { checkProviders } from './check-providers.ts';

/** Changes only what is given, all of it or nothing; throws `user_not_found` or `invalid_provider`. The catalog allows the change. */
export function updateConsolidation(
  ctx: Pick<Context, 'db' | 'jobs'>,
  tenant: Tenant,
  userId: string,
  patch: SettingsPatch,
): Promise<SettingsChange> {
  return changeConsolidation(ctx, tenant, userId, ({ settings, providers }) => {
    checkProviders(patch, providers);
    return changeSettings(settings, patch);
  });
}
