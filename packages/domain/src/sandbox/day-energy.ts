import type { DayPlan } from './day-plan.ts';
import { isInWorkout, type TruthWorkout } from './day-workout.ts';
import { slotMinutes } from './slots.ts';

/** Energy spent on a day, in kilocalories. */
export interface DayEnergy {
  /** Not rounded: the food of the day follows from it. */
  readonly restingCalories: number;
  readonly activeCalories: number;
  /** The part of each slot of five minutes in the active energy; not rounded. */
  readonly activeBySlot: readonly number[];
}

const perKgAndStep = 0.00055;

/** Resting energy by Mifflin and St Jeor 1990; active energy of steps, and of the workout by its effort. */
export function energyOf(
  { traits }: DayPlan,
  steps: readonly number[],
  workout: TruthWorkout | null,
): DayEnergy {
  const { weightKg, heightCm, ageYears, sex } = traits;
  const restingCalories = 10 * weightKg + 6.25 * heightCm - 5 * ageYears + (sex === 'male' ? 5 : -161);
  const workoutPerSlot = workout ? slotMinutes * weightKg * (0.022 + 0.135 * workout.effort) : 0;
  const activeBySlot = steps.map((count, slot) =>
    isInWorkout(workout, slot) ? workoutPerSlot : count * weightKg * perKgAndStep,
  );
  const active = activeBySlot.reduce((sum, part) => sum + part, 0);
  return { restingCalories, activeCalories: Math.round(active), activeBySlot };
}
