import type { StaleDays } from '../../store/stale-scores.ts';
import type { UserState } from '../layers/user-state.ts';

/** Whose scores may be different after a change, and when; another night is shown without delay. */
export function staleDaysOf({ user: { userId }, scores: { days, nights, prompt } }: UserState): StaleDays {
  const [first = null] = days;
  return { userId, days, urgentDays: nights, calmDay: days.size === 1 && !prompt ? first : null };
}
