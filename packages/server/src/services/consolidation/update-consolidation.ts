import { changeSettings, type SettingsPatch } from '@tributary/domain';
import type { Context } from '../../context.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { changeConsolidation, type SettingsChange } from './change-consolidation.ts';
import { checkProviders } from './check-providers.ts';

/**
 * Applies a patch atomically. Settings it omits stay unchanged. The caller has checked it against the catalog. Throws `user_not_found` or
 * `invalid_provider`.
 */
export function updateConsolidation(
  ctx: Pick<Context, 'db' | 'jobs' | 'newId'>,
  acting: Acting,
  userId: string,
  patch: SettingsPatch,
): Promise<SettingsChange> {
  return changeConsolidation(ctx, acting, userId, 'consolidation.updated', ({ settings, providers }) => {
    checkProviders(patch, providers);
    return changeSettings(settings, patch);
  });
}
