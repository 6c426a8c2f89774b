import { energyOf, type DayEnergy } from './energy.ts';
import { foodOf, type DayFood } from './food.ts';
import { heartOf, type DayHeart } from './heart.ts';
import { napOf, type Nap } from './nap.ts';
import { planDays, type DayPlan } from './plan.ts';
import { stepsOf } from './steps.ts';
import { withWorkoutSteps, workoutOf, type TruthWorkout } from './workout.ts';
import { sleepOf, vitalsOf, type Night, type NightVitals } from './night.ts';
import type { Person } from '../person/person.ts';

/** The actual events of a day, before devices measure them with error. */
export interface DayTruth {
  readonly plan: DayPlan;
  readonly night: Night;
  readonly vitals: NightVitals;
  readonly nap: Nap | null;
  readonly workout: TruthWorkout | null;
  /** In five-minute slots. */
  readonly steps: readonly number[];
  readonly heart: DayHeart;
  readonly energy: DayEnergy;
  readonly food: DayFood;
}

/** The days of a person between two indexes, both included. Index 0 is the first day. */
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
