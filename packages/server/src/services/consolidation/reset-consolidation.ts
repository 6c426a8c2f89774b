import type { Context } from '../../context.ts';
import type { Acting } from '../../store/audit/actor.ts';
import { changeConsolidation, type SettingsChange } from './change-consolidation.ts';

/** Resets a user's settings to the catalog's defaults. Throws `user_not_found`. */
export function resetConsolidation(
  ctx: Pick<Context, 'db' | 'jobs' | 'newId'>,
  acting: Acting,
  userId: string,
): Promise<SettingsChange> {
  return changeConsolidation(ctx, acting, userId, 'consolidation.reset', () => ({}));
}
