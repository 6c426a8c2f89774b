import { dayMinutes, slotMinutes } from './slots.ts';
import type { DayTruth } from './truth.ts';
import { isInWorkout } from './workout.ts';

const slotsPerHour = 60 / slotMinutes;
/** A brisk walk has about 100 steps per minute (Tudor-Locke 2018). */
const briskSteps = 100 * slotMinutes;

/** Minutes of workouts and brisk walking in each hour, in the slots that count. */
export function exerciseOf(
  { steps, workout }: Pick<DayTruth, 'steps' | 'workout'>,
  counts: readonly boolean[],
): number[] {
  const minutes = steps.map((count, slot): number =>
    counts[slot] && (isInWorkout(workout, slot) || count >= briskSteps) ? slotMinutes : 0,
  );
  return Array.from({ length: dayMinutes / 60 }, (_, hour) =>
    minutes.slice(hour * slotsPerHour, (hour + 1) * slotsPerHour).reduce((sum, one) => sum + one, 0),
  );
}
