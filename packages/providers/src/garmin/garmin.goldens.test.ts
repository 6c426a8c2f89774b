import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findMetric } from '@tributary/domain';
import { expect, test } from 'vitest';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { describeGoldens } from '../test/goldens.ts';
import { garmin } from './index.ts';

const start = ['startTimeInSeconds', 'startTimeOffsetInSeconds'];
const day = ['calendarDate', ...start];
const workout = [
  ...start,
  'activityId',
  'activityType',
  'activityName',
  'durationInSeconds',
  'distanceInMeters',
  'activeKilocalories',
  'steps',
  'averageHeartRateInBeatsPerMinute',
  'maxHeartRateInBeatsPerMinute',
  'averageSpeedInMetersPerSecond',
  'totalElevationGainInMeters',
  'isParent',
];
const measured = ['measurementTimeInSeconds', 'measurementTimeOffsetInSeconds'];
const levels = ['deep', 'light', 'rem', 'awake'].flatMap((stage) => [
  `sleepLevelsMap.${stage}.[].startTimeInSeconds`,
  `sleepLevelsMap.${stage}.[].endTimeInSeconds`,
]);

describeGoldens(garmin, import.meta.dirname, {
  fields: {
    dailies: [
      ...day,
      'durationInSeconds',
      'steps',
      'distanceInMeters',
      'floorsClimbed',
      'activeKilocalories',
      'bmrKilocalories',
      'activeTimeInSeconds',
      'moderateIntensityDurationInSeconds',
      'vigorousIntensityDurationInSeconds',
      'restingHeartRateInBeatsPerMinute',
      'minHeartRateInBeatsPerMinute',
      'maxHeartRateInBeatsPerMinute',
      'timeOffsetHeartRateSamples.{}',
      'averageStressLevel',
      'highStressDurationInSeconds',
    ],
    epochs: [
      ...start,
      'activityType',
      'intensity',
      'durationInSeconds',
      'activeTimeInSeconds',
      'steps',
      'distanceInMeters',
      'activeKilocalories',
      'met',
    ],
    sleeps: [
      ...day,
      'durationInSeconds',
      'deepSleepDurationInSeconds',
      'lightSleepDurationInSeconds',
      'remSleepInSeconds',
      'awakeDurationInSeconds',
      'unmeasurableSleepInSeconds',
      'validation',
      ...levels,
      'timeOffsetSleepSpo2.{}',
      'timeOffsetSleepRespiration.{}',
      'overallSleepScore.value',
      'naps.[].napStartTimeInSeconds',
      'naps.[].napDurationInSeconds',
      'naps.[].napOffsetInSeconds',
    ],
    hrv: [...day, 'lastNightAvg', 'hrvValues.{}'],
    stressDetails: [...start, 'timeOffsetStressLevelValues.{}', 'timeOffsetBodyBatteryValues.{}'],
    pulseox: [...start, 'timeOffsetSpo2Values.{}'],
    allDayRespiration: [...start, 'timeOffsetEpochToBreaths.{}'],
    userMetrics: ['calendarDate', 'vo2Max'],
    bodyComps: [
      ...measured,
      'weightInGrams',
      'muscleMassInGrams',
      'boneMassInGrams',
      'bodyWaterInPercent',
      'bodyFatInPercent',
      'bodyMassIndex',
    ],
    bloodPressures: [...measured, 'systolic', 'diastolic', 'pulse'],
    mct: ['periodStartDate', 'dayInCycle', 'isPredictedCycle', 'pregnancySnapshot.dueDate'],
    activities: [...workout, 'manual', 'parentSummaryId'],
    manuallyUpdatedActivities: workout,
    activityDetails: [
      'activityId',
      ...workout.map((name) => `summary.${name}`),
      'samples.[].startTimeInSeconds',
      'samples.[].heartRate',
    ],
  },
});

interface Recorded {
  stream: string;
  documents: Documents;
}

/** The metrics of sleep minutes in the catalog. */
const minutes: Record<string, string> = {
  asleep: 'asleep',
  awake: 'time_awake',
  light: 'light_sleep',
  deep: 'deep_sleep',
  rem: 'REM',
};

test('maps every promised metric from the recorded payloads, and no other', () => {
  const folder = join(import.meta.dirname, 'recorded');
  const batch = new BatchBuilder();
  for (const file of readdirSync(folder)) {
    const { stream, documents } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Recorded;
    garmin.streams.find(({ name }) => name === stream)?.map(documents, batch);
  }
  const { series, records, daily, sleep, workouts } = batch.lists;
  const metrics = new Set([
    ...[series, records, daily].flatMap((list) => list.map(({ metric }) => metric)),
    ...sleep.flatMap((one) => Object.keys(one.minutes ?? {}).map((name) => minutes[name])),
    ...sleep.flatMap((one) => Object.keys(one.vitals ?? {})),
    ...workouts.flatMap(({ values }) => Object.keys(values ?? {})),
  ]);
  expect([...metrics].sort()).toEqual([...garmin.metrics].sort());
  for (const metric of garmin.metrics) expect(findMetric(metric), metric).toBeDefined();
});
