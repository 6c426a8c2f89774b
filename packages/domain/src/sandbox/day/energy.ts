import type { DayPlan } from './plan.ts';
import { isInWorkout, type TruthWorkout } from './workout.ts';
import { slotMinutes } from './slots.ts';

/** Energy expenditure of a day, in kilocalories. */
export interface DayEnergy {
  /** Not rounded, because the food of the day is computed from it. */
  readonly restingCalories: number;
  readonly activeCalories: number;
  /** The active energy of each five-minute slot, not rounded. */
  readonly activeBySlot: readonly number[];
}

const perKgAndStep = 0.00055;

/** Resting energy after Mifflin and St Jeor 1990. Active energy comes from steps, and from the effort of the workout. */
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
