import type { DayNumber } from '../../days.ts';
import { robustMaxHeartRateOn } from '../../people/max-heart-rate.ts';
import { restorativeOf } from '../recipes/one/sleep.ts';
import { energyNeedOf, type NutritionInputTwo } from '../recipes/two/nutrition.ts';
import type { RecoveryInputTwo } from '../recipes/two/recovery.ts';
import type { SleepInputTwo } from '../recipes/two/sleep.ts';
import { gradualEffort, withReserve } from '../recipes/two/strain.ts';
import { normDays } from '../score-metrics.ts';
import { usualOf } from './baseline.ts';
import type { PersonDays } from './person-days.ts';
import { prepareNutrition, prepareRecovery, prepareSleep, type Prepared } from './score-inputs.ts';
import type { EffortRules } from './strain-inputs.ts';

/** How recipe 2 measures effort. The traces of workouts count as observed heart rates. */
export const gradualRules: EffortRules = {
  weightOf: gradualEffort,
  maxHeartRate: (days, day, restingHeartRate) => {
    const { birthDay, maxHeartRate: entered } = days.person;
    const highestOn = (at: DayNumber) =>
      Math.max(days.valueOf('heart_rate_max', at) ?? 0, days.highestInWorkouts.get(at) ?? 0);
    const highest = robustMaxHeartRateOn(day, { entered, birthDay, highestByDay: { get: highestOn } });
    return withReserve(highest, restingHeartRate);
  },
};

/** Readings of the night that may be missing, and the metrics that the usual value is computed from. */
const usualMetrics = {
  regularityIndex: ['sleep_regularity_index'],
  efficiencyPercent: ['sleep_efficiency'],
  awakeAfterOnsetMinutes: ['wake_after_sleep_onset', 'time_awake'],
  restorativePercent: ['asleep', 'deep_sleep', 'REM'],
  latencyMinutes: ['sleep_latency'],
} as const satisfies Record<keyof SleepInputTwo['usual'], readonly string[]>;

/** The night with the person's usual readings. Those of readings that are present are not needed. */
export function prepareSleepTwo(days: PersonDays, day: DayNumber): Prepared<SleepInputTwo> {
  const prepared = prepareSleep(days, day);
  const { input } = prepared;
  const history = (id: string) => days.before(id, day, normDays);
  const [awake, inBed] = usualMetrics.awakeAfterOnsetMinutes.map(history);
  const known = { ...input, restorativePercent: restorativeOf(input) };
  const lacking = <Value>(name: keyof typeof known, usual: () => Value) =>
    known[name] === null ? usual() : null;
  const usual = {
    regularityIndex: lacking('regularityIndex', () => usualOf(history('sleep_regularity_index'))),
    efficiencyPercent: lacking('efficiencyPercent', () => usualOf(history('sleep_efficiency'))),
    awakeAfterOnsetMinutes: lacking('awakeAfterOnsetMinutes', () =>
      usualOf(awake!.map((minutes, at) => minutes ?? inBed![at]!)),
    ),
    restorativePercent: lacking('restorativePercent', () => usualOf(restorativeHistory(days, day))),
    latencyMinutes: lacking('latencyMinutes', () => usualOf(history('sleep_latency'))),
  };
  const names = Object.keys(usualMetrics) as (keyof typeof usualMetrics)[];
  return {
    ...prepared,
    input: { ...input, usual },
    histories: names.filter((name) => known[name] === null).flatMap((name) => usualMetrics[name]),
  };
}

function restorativeHistory(days: PersonDays, day: DayNumber): (number | null)[] {
  const [asleep, deep, rem] = usualMetrics.restorativePercent.map((id) => days.before(id, day, normDays));
  return asleep!.map((asleepMinutes, at) =>
    restorativeOf({ asleepMinutes, deepMinutes: deep![at]!, remMinutes: rem![at]! }),
  );
}

/** The readings of recipe 1, with the time asleep in place of the sleep score. */
export function prepareRecoveryTwo(days: PersonDays, day: DayNumber): Prepared<RecoveryInputTwo> {
  const { input, metrics, histories } = prepareRecovery(days, day, null);
  const { sleepScore: _, ...readings } = input;
  const asleepMinutes = days.mainSleepOf(day) === null ? null : days.valueOf('asleep', day);
  return {
    input: { ...readings, asleepMinutes, asleepHistory: days.before('asleep', day, normDays) },
    metrics: [...metrics, 'asleep'],
    histories: [...histories, 'asleep'],
    other: {},
  };
}

export function prepareNutritionTwo(days: PersonDays, day: DayNumber): Prepared<NutritionInputTwo> {
  const prepared = prepareNutrition(days, day);
  const usualRestingEnergyKcal = usualOf(days.before('resting_energy', day, normDays));
  const input = { ...prepared.input, usualRestingEnergyKcal };
  return {
    ...prepared,
    input,
    histories: ['resting_energy'],
    other: { ...prepared.other, energy_need: energyNeedOf(input) },
  };
}
