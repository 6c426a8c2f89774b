import { clamp } from '../../../clamp.ts';
import { entryOf, scoreOf } from '../../publish/factors.ts';
import type { RecipeVersion, Scored, Sex } from '../../score.ts';

/** Activity measured by heart rate. Every minute belongs to one of the two lists. */
export interface HeartWork {
  readonly restingHeartRate: number;
  readonly maxHeartRate: number;
  readonly sex: Sex;
  /** Minutes awake at a heart rate, either single ones or a whole workout at its mean. */
  readonly heartRateMinutes: readonly (readonly [minutes: number, bpm: number])[];
  /** Minutes in each of the five zones, if no heart rate is known. */
  readonly zoneMinutes: readonly number[];
}

/** All activity of a day, with each minute counted once. */
export interface StrainInput extends HeartWork {
  /** Sessions rated by perceived exertion, from 0 to 10. */
  readonly ratedSessions: readonly (readonly [rpe: number, minutes: number])[];
  /** Only for a day without any heart rate. */
  readonly activeCalories: number | null;
  readonly weightKg: number | null;
}

/** No load. */
const neutral = 0;

// ACSM: light effort begins at 30% of the heart rate reserve, moderate at 40%, vigorous at 60%. Without a lower limit, a day of sitting would add up
// to a workout.
const lightEffort = 0.3;
const moderateEffort = 0.4;
const bands = [
  ['light_activity', 0],
  ['moderate_activity', moderateEffort],
  ['vigorous_activity', 0.6],
  ['maximal_activity', 0.9],
] as const;

type Band = (typeof bands)[number][0];

/** The load of each effort band. */
export type LoadByBand = Record<Band, number>;

/** The middle of each zone, as a share of the maximum heart rate. Zone weights (Edwards 1993) have no physiological basis. */
const zoneMiddles = [0.55, 0.65, 0.75, 0.85, 0.95] as const;

// Foster 2001: perceived exertion times minutes. The factor is chosen so that an hour rated 5 is 90, close to an hour of steady running.
const loadPerRatedMinute = 0.3;

// Chosen: energy burned beyond 2 kcal/kg.
const restingKcalPerKg = 2;
const loadPerKcalPerKg = 8;

// Chosen so that 48, 67 and 86 (10, 14 and 18 of WHOOP's 21) are loads near 74, 156 and 306: about 40 minutes of steady running, a long hard session,
// and a race of several hours.
const logarithmLoad = 20;
const fullLoad = 500;

/** The share of a minute's load that counts, by the share of the heart rate reserve and by the beats that are missing to moderate effort. */
export type EffortWeight = (share: number, missingBeats: number) => number;

/** A minute counts in full from light effort on, and not at all below it. */
export const fromLightEffort: EffortWeight = (share) => (share >= lightEffort ? 1 : 0);

/** How much work did the heart do today? Null without data. A day of rest is 0. */
export function scoreStrain(
  input: StrainInput,
  weightOf: EffortWeight = fromLightEffort,
  version: RecipeVersion = 1,
): Scored | null {
  const { heartRateMinutes, zoneMinutes, ratedSessions, activeCalories, weightKg } = input;
  const energyLoad = loadOfEnergy(activeCalories, weightKg);
  if (heartRateMinutes.length + zoneMinutes.length + ratedSessions.length === 0 && energyLoad === null)
    return null;
  const loads: [name: string, load: number][] = [
    ...Object.entries(loadByBand(input, weightOf)),
    [
      'perceived_exertion',
      ratedSessions.reduce((sum, [rpe, minutes]) => sum + loadOfRating(rpe, minutes), 0),
    ],
    ['active_energy', energyLoad ?? 0],
  ];
  const parts = loads.filter(([, load]) => load > 0);
  const load = parts.reduce((sum, [, part]) => sum + part, 0);
  const value = strainOfLoad(load);
  const ingredients = parts.map(([name, part]) => entryOf(name, (value * part) / load));
  const figures = { training_load: Math.floor(load * 10 + 0.5) / 10 };
  return scoreOf('strain_score', neutral, ingredients, { figures, version });
}

/** From 0 to 100, with each point requiring more load than the previous one. Not rounded. */
export function strainOfLoad(load: number): number {
  return Math.min(100, (100 * Math.log(1 + load / logarithmLoad)) / Math.log(1 + fullLoad / logarithmLoad));
}

/** The training impulse of one minute at a share of the heart rate reserve. */
export function loadPerMinute(share: number, sex: Sex): number {
  if (sex === 'male') return maleImpulse(share);
  if (sex === 'female') return femaleImpulse(share);
  return (maleImpulse(share) + femaleImpulse(share)) / 2;
}

// Banister 1991, Morton 1990: fitted to the blood lactate of men and women.
const maleImpulse = (share: number) => 0.64 * share * Math.exp(1.92 * share);
const femaleImpulse = (share: number) => 0.86 * share * Math.exp(1.67 * share);

/** The training load from heart rate. */
export function loadByBand(work: HeartWork, weightOf: EffortWeight = fromLightEffort): LoadByBand {
  const { restingHeartRate, maxHeartRate, sex } = work;
  const reserve = maxHeartRate - restingHeartRate;
  const loads: LoadByBand = {
    light_activity: 0,
    moderate_activity: 0,
    vigorous_activity: 0,
    maximal_activity: 0,
  };
  const add = (minutes: number, bpm: number): void => {
    const share = reserve > 0 ? clamp((bpm - restingHeartRate) / reserve, 0, 1) : 0;
    const weight = weightOf(share, (moderateEffort - share) * reserve);
    if (weight > 0) loads[bandOf(share)] += minutes * weight * loadPerMinute(share, sex);
  };
  for (const [minutes, bpm] of work.heartRateMinutes) add(minutes, bpm);
  work.zoneMinutes.forEach((minutes, zone) => add(minutes, maxHeartRate * zoneMiddles[zone]!));
  return loads;
}

function bandOf(share: number): Band {
  return bands.findLast(([, from]) => share >= from)![0];
}

/** The training load of all effort bands. */
export function loadOfMinutes(work: HeartWork, weightOf: EffortWeight = fromLightEffort): number {
  return Object.values(loadByBand(work, weightOf)).reduce((sum, load) => sum + load, 0);
}

/** The training load of a session by perceived exertion. */
export function loadOfRating(rpe: number, minutes: number): number {
  return loadPerRatedMinute * rpe * minutes;
}

function loadOfEnergy(activeCalories: number | null, weightKg: number | null): number | null {
  if (activeCalories === null || weightKg === null || weightKg <= 0) return null;
  return loadPerKcalPerKg * Math.max(0, activeCalories / weightKg - restingKcalPerKg);
}
