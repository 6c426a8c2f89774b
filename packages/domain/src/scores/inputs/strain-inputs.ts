import type { DayNumber } from '../../days.ts';
import { maxHeartRateOn } from '../../people/max-heart-rate.ts';
import {
  fromLightEffort,
  loadOfMinutes,
  loadOfRating,
  type EffortWeight,
  type HeartWork,
  type StrainInput,
} from '../recipes/one/strain.ts';
import { normDays } from '../score-metrics.ts';
import { usualOf } from './baseline.ts';
import type { DayFacts } from './day-facts.ts';
import type { PersonDays } from './person-days.ts';
import { weightOn, type Prepared } from './score-inputs.ts';

/** Used if a person's resting heart rate is unknown. */
const usualRestingHeartRate = 60;
/** Ten hours. With less data, a day may seem restful only because it was not measured. */
export const leastCoveredMinutes = 600;

/** How a recipe measures effort. */
export interface EffortRules {
  readonly weightOf: EffortWeight;
  /** The maximum heart rate of a person on a day. */
  readonly maxHeartRate: (days: PersonDays, day: DayNumber, restingHeartRate: number) => number;
}

/** The rules of recipe 1. */
export const effortFromLight: EffortRules = {
  weightOf: fromLightEffort,
  maxHeartRate: (days, day) => {
    const { birthDay, maxHeartRate: entered } = days.person;
    const highestByDay = { get: (at: DayNumber) => days.valueOf('heart_rate_max', at) ?? undefined };
    return maxHeartRateOn(day, { entered, birthDay, highestByDay });
  },
};

export function prepareStrain(
  days: PersonDays,
  day: DayNumber,
  effort: EffortRules = effortFromLight,
): Prepared<StrainInput> {
  const work = heartWorkOn(days, day, effort);
  const facts = days.facts.get(day);
  const weightKg = weightOn(days, day);
  const split = splitWorkouts(facts, work, effort);
  const isMeasured = (facts?.coveredMinutes ?? 0) > 0 || split.speaking > 0;
  const isEnough = (facts?.coveredMinutes ?? 0) >= leastCoveredMinutes || split.speaking > 0;
  const activeCalories = days.valueOf('active_calories', day);
  const byEnergy = activeCalories !== null && weightKg !== null;
  const counts = isEnough || byEnergy;
  // A measured day without activity is a day of rest, even if all of it was spent asleep.
  const atRest =
    isMeasured && facts?.awake.length === 0 ? ([[facts.coveredMinutes, work.restingHeartRate]] as const) : [];
  return {
    input: {
      ...work,
      heartRateMinutes: counts ? [...atRest, ...(facts?.awake ?? []), ...split.heartRateMinutes] : [],
      zoneMinutes: split.zoneMinutes,
      ratedSessions: split.ratedSessions,
      activeCalories: isMeasured ? null : activeCalories,
      weightKg,
    },
    metrics: ['active_calories'],
    histories: ['resting_heart_rate'],
    other: {
      resting_heart_rate: work.restingHeartRate,
      max_heart_rate: work.maxHeartRate,
      sex: work.sex,
      weight: weightKg,
      heart_rate_coverage_minutes: facts?.coveredMinutes ?? 0,
      workouts: facts?.workouts.length ?? 0,
    },
  };
}

/** The heart rates and sex that strain is computed with. */
export function heartWorkOn(
  days: PersonDays,
  day: DayNumber,
  effort: EffortRules = effortFromLight,
): Pick<HeartWork, 'restingHeartRate' | 'maxHeartRate' | 'sex'> {
  const restingHeartRate =
    usualOf(days.before('resting_heart_rate', day, normDays)) ??
    days.valueOf('resting_heart_rate', day) ??
    usualRestingHeartRate;
  return {
    restingHeartRate,
    maxHeartRate: effort.maxHeartRate(days, day, restingHeartRate),
    sex: days.person.sex,
  };
}

/** The load of one workout: by heart rate or zones, or by perceived exertion if that is higher. Null without intensity data. */
export function workoutLoad(
  workout: DayFacts['workouts'][number],
  work: Pick<HeartWork, 'restingHeartRate' | 'maxHeartRate' | 'sex'>,
  { weightOf }: EffortRules = effortFromLight,
): { load: number; isRated: boolean } | null {
  const { heartRate, zoneMinutes, rpe, minutes } = workout;
  if (heartRate.length === 0 && zoneMinutes.length === 0 && rpe === null) return null;
  const measured = loadOfMinutes({ ...work, heartRateMinutes: heartRate, zoneMinutes }, weightOf);
  const rated = rpe === null ? 0 : loadOfRating(rpe, minutes);
  return { load: Math.max(measured, rated), isRated: rated > measured };
}

/** Assigns each workout to heart rate, zones or perceived exertion. */
function splitWorkouts(
  facts: DayFacts | undefined,
  work: ReturnType<typeof heartWorkOn>,
  effort: EffortRules,
) {
  const split = {
    heartRateMinutes: [] as (readonly [number, number])[],
    zoneMinutes: [] as number[],
    ratedSessions: [] as [number, number][],
    /** Number of workouts with intensity data. */
    speaking: 0,
  };
  for (const workout of facts?.workouts ?? []) {
    const load = workoutLoad(workout, work, effort);
    if (!load) continue;
    split.speaking += 1;
    const { share = 1 } = workout;
    if (load.isRated) {
      split.ratedSessions.push([workout.rpe!, workout.minutes * share]);
      continue;
    }
    for (const [minutes, bpm] of workout.heartRate) split.heartRateMinutes.push([minutes * share, bpm]);
    workout.zoneMinutes.forEach((minutes, zone) => {
      split.zoneMinutes[zone] = (split.zoneMinutes[zone] ?? 0) + minutes * share;
    });
  }
  return split;
}
