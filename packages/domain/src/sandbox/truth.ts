import { energyOf, type DayEnergy } from './day-energy.ts';
import { foodOf, type DayFood } from './day-food.ts';
import { heartOf, type DayHeart } from './day-heart.ts';
import { napOf, type Nap } from './day-nap.ts';
import { planDays, type DayPlan } from './day-plan.ts';
import { stepsOf } from './day-steps.ts';
import { withWorkoutSteps, workoutOf, type TruthWorkout } from './day-workout.ts';
import { sleepOf, vitalsOf, type Night, type NightVitals } from './night.ts';
import type { Person } from './person.ts';

/** What really happened on a day, before any device has looked at it. */
export interface DayTruth {
  readonly plan: DayPlan;
  readonly night: Night;
  readonly vitals: NightVitals;
  readonly nap: Nap | null;
  readonly workout: TruthWorkout | null;
  /** In slots of five minutes. */
  readonly steps: readonly number[];
  readonly heart: DayHeart;
  readonly energy: DayEnergy;
  readonly food: DayFood;
}

/** The days of a person from one index to another, both included; 0 is the first day. */
export function truthOf(person: Person, fromIndex: number, toIndex: number): DayTruth[] {
  return planDays(person, fromIndex, toIndex).map(truthOfDay);
}

function truthOfDay(plan: DayPlan): DayTruth {
  const night = sleepOf(plan);
  const vitals = vitalsOf(plan, night);
  const workout = workoutOf(plan, night);
  const steps = withWorkoutSteps(stepsOf(plan, night), workout);
  const energy = energyOf(plan, steps, workout);
  return {
    plan,
    night,
    vitals,
    nap: napOf(plan, night, steps),
    workout,
    steps,
    heart: heartOf(plan, night, vitals, workout, steps),
    energy,
    food: foodOf(plan, energy),
  };
}
