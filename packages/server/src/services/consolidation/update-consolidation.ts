import { changeSettings, type SettingsPatch } from '@tributary/domain';
import type { Context } from '../../context.ts';
import type { Acting } from '../../store/acting.ts';
import { changeConsolidation, type SettingsChange } from './change-consolidation.ts';
import { checkProviders } from './check-providers.ts';

/** Changes only what is given, all of it or nothing; throws `user_not_found` or `invalid_provider`. The catalog allows the change. */
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
