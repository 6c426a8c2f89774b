import type { DayNumber } from '../../days.ts';
import { traitsOf } from '../person/archetypes.ts';
import { normal, uniform } from '../person/hashed-numbers.ts';
import { lutealShare } from './cycle.ts';
import type { Person } from '../person/person.ts';
import type { PlannedWorkout, Shift, Traits } from '../person/traits.ts';

/** Random numbers of one day, by purpose. */
export interface Chance {
  readonly uniform: (purpose: string) => number;
  readonly normal: (purpose: string) => number;
}

/** The inputs of a day: the calendar and the hidden states that everything else depends on. */
export interface DayPlan {
  readonly traits: Traits;
  readonly day: DayNumber;
  readonly isWeekend: boolean;
  readonly shift: Shift | null;
  readonly isIll: boolean;
  readonly workout: PlannedWorkout | null;
  /** Stress and the quality of the preceding sleep, in standard deviations. */
  readonly stress: number;
  readonly sleepQuality: number;
  /** How hard the previous day's workout was. */
  readonly doseBefore: number;
  /** The state of the autonomic nervous system, in standard deviations. */
  readonly tone: number;
  readonly weightKg: number;
  /** How much of the luteal phase of a menstrual cycle shows, from 0 to 1. */
  readonly luteal: number;
  readonly chance: Chance;
}

/** Heart rate variability of two consecutive days correlates (Altini 2021). */
const carriedTone = 0.45;
const newTone = Math.sqrt(1 - carriedTone ** 2);

/**
 * Plans of consecutive days, numbered from the person's first day. Stress, sleep, tone and weight carry over from day to day, so the plan is
 * always computed from the first day. A later end does not change earlier days.
 */
export function planDays(person: Person, fromIndex: number, toIndex: number): DayPlan[] {
  const plans: DayPlan[] = [];
  let [stress, sleepQuality, doseBefore, tone] = [0, 0, 0, 0];
  let { weightKg } = traitsOf[person.archetype];
  for (let index = 0; index <= toIndex; index += 1) {
    const chance = chanceOf(person, index);
    stress = 0.5 * stress + 0.866 * chance.normal('stress');
    sleepQuality = 0.3 * sleepQuality - 0.25 * stress + 0.9 * chance.normal('sleepq');
    const calendar = calendarOf(person, index);
    tone = index === 0 ? chance.normal('hrv') : carriedTone * tone + newTone * chance.normal('hrv');
    weightKg += 0.12 * chance.normal('weight') - 0.02 * (weightKg - calendar.traits.weightKg);
    const offset = calendar.traits.stress + (calendar.isIll ? 1 : 0);
    if (index >= fromIndex)
      plans.push({
        ...calendar,
        stress: stress + offset,
        sleepQuality,
        doseBefore,
        tone,
        weightKg,
        luteal: calendar.traits.hasCycle ? lutealShare(person, index) : 0,
        chance,
      });
    doseBefore = doseOf(calendar.workout);
  }
  return plans;
}

function chanceOf({ seed, archetype }: Person, index: number): Chance {
  const prefix = `${seed}|${archetype}|${index}|`;
  return {
    uniform: (purpose) => uniform(prefix + purpose),
    normal: (purpose) => normal(prefix + purpose),
  };
}

function calendarOf(
  { archetype, firstDay }: Person,
  index: number,
): Pick<DayPlan, 'traits' | 'day' | 'isWeekend' | 'shift' | 'isIll' | 'workout'> {
  const traits = traitsOf[archetype];
  const day = firstDay + index;
  // 1970 began on a Thursday. Weeks begin on Monday.
  const weekday = (((day + 3) % 7) + 7) % 7;
  const isIll = traits.illDays.includes(index);
  return {
    traits,
    day,
    isWeekend: weekday >= 5,
    shift: traits.shifts?.[index % 7] ?? null,
    isIll,
    workout: isIll ? null : traits.workouts[weekday]!,
  };
}

function doseOf(workout: PlannedWorkout | null): number {
  return workout ? (workout.minutes * workout.effort ** 2) / 25 : 0;
}
