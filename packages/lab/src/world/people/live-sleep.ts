import { chanceOf } from '../hash.ts';
import type { Sample, Sleep, Stage } from './day.ts';
import type { SleepPlan } from './nights.ts';
import { sleepsOn } from './nights.ts';
import type { Person } from './person.ts';
import { stageAt, stagesOf } from './stages.ts';
import { traitsOf, type Traits } from './traits.ts';

const FIVE_MINUTES = 300_000;

const HEART_RATE_OF: Record<Stage, number> = { awake: 9, light: 3, deep: 1, rem: 5 };
const HRV_OF: Record<Stage, number> = { awake: 0.75, light: 1, deep: 1.15, rem: 0.9 };

/** The sleeps that end on a date, with all their measurements. */
export function liveSleeps(person: Person, date: string): Sleep[] {
  const traits = traitsOf(person, date);
  return sleepsOn(person, date).map((plan) => live(person, date, plan, traits));
}

/** The resting heart rate, which varies from day to day. */
export function calmRateOf(person: Person, date: string, traits: Traits): number {
  return traits.restingHeartRate + Math.round(6 * chanceOf(person.seed, 'calm', date) - 3);
}

function live(person: Person, date: string, plan: SleepPlan, traits: Traits): Sleep {
  const draw = (...words: (string | number)[]): number => chanceOf(person.seed, 'night', plan.key, ...words);
  const stages = stagesOf(person.seed, plan);
  const calm = calmRateOf(person, date, traits);
  const hrvOfNight = traits.hrv * (0.85 + 0.3 * draw('hrv'));
  const heartRate: Sample[] = [];
  const hrv: Sample[] = [];
  for (let at = plan.start; at < plan.end; at += FIVE_MINUTES) {
    const stage = stageAt(stages, at);
    // The heart rate falls until the last third of the night.
    const part = (at - plan.start) / (plan.end - plan.start);
    const slowing = 7 * Math.abs(part - 0.7);
    heartRate.push({ at, value: Math.round(calm + slowing + HEART_RATE_OF[stage] + 2 * draw('beat', at)) });
    hrv.push({
      at,
      value: Math.max(5, Math.round(hrvOfNight * HRV_OF[stage] * (0.85 + 0.3 * draw('rmssd', at)))),
    });
  }
  return {
    ...plan,
    stages,
    averageHeartRate: Math.round(meanOf(heartRate)),
    lowestHeartRate: Math.min(...heartRate.map(({ value }) => value)),
    averageHrv: Math.round(meanOf(hrv)),
    respiratoryRate: roundTo(1, traits.respiratoryRate + draw('breath') - 0.5),
    bloodOxygenPercent: roundTo(1, 94.5 + 4 * draw('oxygen')),
    skinTemperatureC: roundTo(2, traits.skinTemperatureC + 0.9 * draw('skin') - 0.45),
    heartRate,
    hrv,
    disturbances:
      stages.filter(({ stage }) => stage === 'awake').length - 1 + Math.floor(6 * draw('disturbed')),
  };
}

function meanOf(samples: readonly Sample[]): number {
  return samples.reduce((sum, { value }) => sum + value, 0) / samples.length;
}

/** Rounds to the given number of decimals. */
export function roundTo(places: number, value: number): number {
  return Math.round(value * 10 ** places) / 10 ** places;
}
