import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findMetric } from '@tributary/domain';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { describeGoldens } from '../test/goldens.ts';
import { googleHealth } from './index.ts';

interface Recorded {
  stream: string;
  documents: Documents;
}

const rolledUp = (...fields: string[]) => [
  ...['year', 'month', 'day'].map((part) => `civilStartTime.date.${part}`),
  ...fields,
];
const daily = (field: string) => {
  const [key] = field.split('.');
  return [...['year', 'month', 'day'].map((part) => `${key}.date.${part}`), field];
};
const sampled = (key: string, ...fields: string[]) =>
  ['sampleTime.physicalTime', 'sampleTime.utcOffset', ...fields].map((field) => `${key}.${field}`);

const fields = {
  steps: rolledUp('steps.countSum'),
  distance: rolledUp('distance.millimetersSum'),
  floors: rolledUp('floors.countSum'),
  altitude: rolledUp('altitude.gainMillimetersSum'),
  'active-energy-burned': rolledUp('activeEnergyBurned.kcalSum'),
  'basal-energy-burned': rolledUp('basalEnergyBurned.kcalSum'),
  'total-calories': rolledUp('totalCalories.kcalSum'),
  'active-minutes': rolledUp(
    'activeMinutes.activeMinutesRollupByActivityLevel.[].activityLevel',
    'activeMinutes.activeMinutesRollupByActivityLevel.[].activeMinutesSum',
  ),
  'active-zone-minutes': rolledUp(
    'activeZoneMinutes.sumInFatBurnHeartZone',
    'activeZoneMinutes.sumInCardioHeartZone',
    'activeZoneMinutes.sumInPeakHeartZone',
  ),
  'daily-resting-heart-rate': daily('dailyRestingHeartRate.beatsPerMinute'),
  'daily-heart-rate-variability': daily('dailyHeartRateVariability.averageHeartRateVariabilityMilliseconds'),
  'daily-oxygen-saturation': daily('dailyOxygenSaturation.averagePercentage'),
  'daily-respiratory-rate': daily('dailyRespiratoryRate.breathsPerMinute'),
  'daily-sleep-temperature-derivations': daily('dailySleepTemperatureDerivations.nightlyTemperatureCelsius'),
  'daily-vo2-max': daily('dailyVo2Max.vo2Max'),
  'heart-rate': sampled('heartRate', 'beatsPerMinute'),
  'heart-rate-variability': sampled(
    'heartRateVariability',
    'rootMeanSquareOfSuccessiveDifferencesMilliseconds',
    'standardDeviationMilliseconds',
  ),
  'oxygen-saturation': sampled('oxygenSaturation', 'percentage'),
  'respiratory-rate-sleep-summary': sampled('respiratoryRateSleepSummary', 'fullSleepStats.breathsPerMinute'),
  weight: sampled('weight', 'weightGrams'),
  'body-fat': sampled('bodyFat', 'percentage'),
  height: sampled('height', 'heightMillimeters'),
  'core-body-temperature': sampled('coreBodyTemperature', 'temperatureCelsius'),
  'blood-glucose': sampled('bloodGlucose', 'bloodGlucoseMilligramsPerDeciliter'),
  'vo2-max': sampled('vo2Max', 'vo2Max'),
  'run-vo2-max': sampled('runVo2Max', 'runVo2Max'),
  sleep: [
    'dataPointName',
    'name',
    'sleep.interval.startTime',
    'sleep.interval.endTime',
    'sleep.interval.endUtcOffset',
    'sleep.stages.[].type',
    'sleep.stages.[].startTime',
    'sleep.stages.[].endTime',
    'sleep.summary.minutesAsleep',
    'sleep.summary.minutesAwake',
    'sleep.summary.minutesInSleepPeriod',
    'sleep.summary.minutesToFallAsleep',
    'sleep.summary.minutesAfterWakeUp',
    'sleep.summary.stagesSummary.[].type',
    'sleep.summary.stagesSummary.[].minutes',
  ],
  exercise: [
    'dataPointName',
    'exercise.exerciseType',
    'exercise.displayName',
    'exercise.activeDuration',
    'exercise.interval.startTime',
    'exercise.interval.endTime',
    'exercise.interval.startUtcOffset',
    'exercise.metricsSummary.caloriesKcal',
    'exercise.metricsSummary.distanceMillimeters',
    'exercise.metricsSummary.steps',
    'exercise.metricsSummary.averageHeartRateBeatsPerMinute',
    'exercise.metricsSummary.averageSpeedMillimetersPerSecond',
    'exercise.metricsSummary.elevationGainMillimeters',
    'exercise.exerciseMetadata.poolLengthMillimeters',
  ],
};

describeGoldens(googleHealth, import.meta.dirname, {
  fields,
  interchangeable: [
    ['activeZoneMinutes.sumInFatBurnHeartZone', 'activeZoneMinutes.sumInCardioHeartZone', 'parts of one sum'],
    ['activeZoneMinutes.sumInFatBurnHeartZone', 'activeZoneMinutes.sumInPeakHeartZone', 'parts of one sum'],
    ['activeZoneMinutes.sumInCardioHeartZone', 'activeZoneMinutes.sumInPeakHeartZone', 'parts of one sum'],
  ],
});

describe('the mapping', () => {
  const sleepMetrics = {
    asleep: 'asleep',
    awake: 'time_awake',
    in_bed: 'time_in_bed',
    light: 'light_sleep',
    deep: 'deep_sleep',
    rem: 'REM',
  };

  test('covers exactly the promised metrics', () => {
    const folder = join(import.meta.dirname, 'recorded');
    const all = new BatchBuilder();
    for (const file of readdirSync(folder)) {
      const recorded = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded;
      googleHealth.streams.find(({ name }) => name === recorded.stream)!.map(recorded.documents, all);
    }
    const { daily: days, series, records, sleep, workouts } = all.lists;
    const goldenMetrics = [
      ...[...days, ...series, ...records].map(({ metric }) => metric),
      ...sleep.flatMap(({ minutes = {}, vitals = {} }) => [
        ...Object.keys(minutes).map((name) => sleepMetrics[name as keyof typeof sleepMetrics]),
        ...Object.keys(vitals),
      ]),
      ...workouts.flatMap(({ values = {} }) => Object.keys(values)),
    ];
    expect([...new Set(goldenMetrics)].sort()).toEqual([...googleHealth.metrics].sort());
    for (const metric of googleHealth.metrics) expect(findMetric(metric)?.id).toBe(metric);
  });

  test.each(googleHealth.streams.map(({ name, map }) => ({ name, map })))(
    'of broken documents of $name is empty',
    ({ name, map }) => {
      const batch = new BatchBuilder();
      const key = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      map([null, 7, 'x', [], {}, { [key]: [] }, { [key]: { interval: 3, stages: {}, date: 'x' } }], batch);
      expect(Object.values(batch.lists).flat()).toEqual([]);
    },
  );

  test('of a deleted session is a deletion', () => {
    const deleting = googleHealth.streams.filter(({ deletes }) => deletes.length > 0);
    expect(deleting.map(({ name, deletes }) => [name, deletes])).toEqual([
      ['sleep', ['sleep']],
      ['exercise', ['workout']],
    ]);
  });
});
