import type { StaleDays } from '../../store/scores/stale.ts';
import type { UserState } from '../layers/user-state.ts';

/** The days whose scores may change. Scores of a changed night are published without delay. */
export function staleDaysOf({ user: { userId }, scores: { days, nights, prompt } }: UserState): StaleDays {
  const [first = null] = days;
  return { userId, days, urgentDays: nights, calmDay: days.size === 1 && !prompt ? first : null };
}
