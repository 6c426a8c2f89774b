import type { DayNumber } from '../days.ts';
import { exerciseOf } from './day/exercise.ts';
import { truthOf } from './day/truth.ts';
import { distancesOnFoot } from './day/workout.ts';
import type { Person } from './person/person.ts';

/** What a simulated user did on a day, which the devices measure with error. */
export interface DailyTruth {
  readonly day: DayNumber;
  readonly steps: number;
  /** On foot, in kilometers. */
  readonly distance: number;
  readonly activeCalories: number;
  readonly exerciseMinutes: number;
  /** Of the night that ends on the day and of its nap. */
  readonly asleepMinutes: number;
  readonly restingHeartRate: number;
  readonly meanHeartRate: number;
  readonly workouts: number;
  readonly weightKg: number;
}

/** The truth of consecutive days of a simulated user. Index 0 is the first day. */
export function dailyTruth(person: Person, fromIndex: number, toIndex: number): DailyTruth[] {
  return truthOf(person, fromIndex, toIndex).map((truth) => {
    const { plan, night, nap, vitals, workout, steps, heart, energy } = truth;
    return {
      day: plan.day,
      steps: sum(steps),
      distance: sum(distancesOnFoot(plan, steps, workout)),
      activeCalories: energy.activeCalories,
      exerciseMinutes: sum(
        exerciseOf(
          truth,
          steps.map(() => true),
        ),
      ),
      asleepMinutes: night.asleepMinutes + (nap ? nap.endMinute - nap.startMinute : 0),
      restingHeartRate: vitals.restingHeartRate,
      meanHeartRate: sum(heart.heartRate) / heart.heartRate.length,
      workouts: workout ? 1 : 0,
      weightKg: plan.weightKg,
    };
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
