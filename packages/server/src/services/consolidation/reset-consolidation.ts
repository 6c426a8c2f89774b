import type { Context } from '../../context.ts';
import type { Acting } from '../../store/acting.ts';
import { changeConsolidation, type SettingsChange } from './change-consolidation.ts';

/** Leaves nothing but what the catalog says; throws `user_not_found`. */
export function resetConsolidation(
  ctx: Pick<Context, 'db' | 'jobs' | 'newId'>,
  acting: Acting,
  userId: string,
): Promise<SettingsChange> {
  return changeConsolidation(ctx, acting, userId, 'consolidation.reset', () => ({}));
}
