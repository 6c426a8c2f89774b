import { sportTypeOf } from '@tributary/domain';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { garmin } from './index.ts';

function mapDocuments(stream: string, documents: Documents): BatchBuilder['lists'] {
  const batch = new BatchBuilder();
  garmin.streams.find(({ name }) => name === stream)!.map(documents, batch);
  return batch.lists;
}

const night = (more: object) => ({
  calendarDate: '2026-05-08',
  startTimeInSeconds: 1_778_190_000,
  startTimeOffsetInSeconds: 7200,
  durationInSeconds: 25_200,
  deepSleepDurationInSeconds: 5400,
  lightSleepDurationInSeconds: 14_400,
  remSleepInSeconds: 4800,
  ...more,
});

describe('days', () => {
  test('ignore the average heart rate of seven days', () => {
    const { daily } = mapDocuments('dailies', [
      { calendarDate: '2026-05-08', averageHeartRateInBeatsPerMinute: 71 },
    ]);
    expect(daily).toEqual([]);
  });

  test('use the longest version, regardless of order', () => {
    const day = (durationInSeconds: number, steps: number) => ({
      calendarDate: '2026-05-08',
      durationInSeconds,
      steps,
    });
    const { daily } = mapDocuments('dailies', [day(21_600, 900), day(86_400, 9000), day(43_200, 4000)]);
    expect(daily).toEqual([{ metric: 'steps', date: '2026-05-08', value: 9000 }]);
  });
});

describe('epochs', () => {
  const row = (activityType: string, activeTimeInSeconds: number, steps: number) => ({
    startTimeInSeconds: 1_778_190_300,
    durationInSeconds: 900,
    activityType,
    intensity: activityType === 'SEDENTARY' ? 'SEDENTARY' : 'ACTIVE',
    activeTimeInSeconds,
    steps,
  });
  const slots = (...rows: object[]) =>
    mapDocuments('epochs', rows).records.map(({ start, end, value }) => [
      start.slice(14, 19),
      end?.slice(14, 19),
      value,
    ]);

  test('add up walking and running, and leave the remaining time as sedentary', () => {
    expect(slots(row('WALKING', 200, 300), row('SEDENTARY', 400, 0), row('RUNNING', 300, 700))).toEqual([
      ['45:00', '53:20', 1000],
      ['53:20', '00:00', 0],
    ]);
  });

  test('do not depend on how rows are split into pushes', () => {
    const [walking, sitting] = [row('WALKING', 200, 300), row('SEDENTARY', 700, 0)];
    expect([...slots(walking), ...slots(sitting)]).toEqual(slots(sitting, walking));
  });
});

describe('nights', () => {
  test('keep their id when they are sent again with another summary id and start', () => {
    const ids = [
      night({ summaryId: 'x-1', validation: 'AUTO_TENTATIVE' }),
      night({ summaryId: 'x-2', validation: 'AUTO_MANUAL', startTimeInSeconds: 1_778_191_800 }),
    ].flatMap((row) => mapDocuments('sleeps', [row]).sleep.map(({ id }) => id));
    expect(ids).toEqual(['night-2026-05-08', 'night-2026-05-08']);
  });

  test('in final form are not replaced by tentative ones', () => {
    const rows = [
      night({ validation: 'ENHANCED_FINAL' }),
      night({ validation: 'ENHANCED_TENTATIVE', remSleepInSeconds: 0 }),
    ];
    for (const documents of [rows, rows.toReversed()]) {
      const { sleep } = mapDocuments('sleeps', documents);
      expect(sleep.map(({ minutes }) => minutes?.rem)).toEqual([80]);
    }
  });

  test('without REM detection have no REM and keep their length', () => {
    const [session] = mapDocuments('sleeps', [night({ remSleepInSeconds: 0 })]).sleep;
    expect(session?.minutes).toEqual({ asleep: 330, deep: 90, light: 240 });
  });

  test('end with their last stage', () => {
    const awake = [{ startTimeInSeconds: 1_778_215_200, endTimeInSeconds: 1_778_216_400 }];
    const [session] = mapDocuments('sleeps', [night({ sleepLevelsMap: { awake } })]).sleep;
    expect(Date.parse(session!.end) / 1000).toBe(1_778_216_400);
    const [plain] = mapDocuments('sleeps', [night({})]).sleep;
    expect(Date.parse(plain!.end) / 1000).toBe(1_778_190_000 + 25_200);
  });
});

test('ignores stress levels that are codes for missing values', () => {
  const row = {
    startTimeInSeconds: 1_778_190_000,
    timeOffsetStressLevelValues: { 0: -1, 180: -2, 360: 25, 540: -3 },
  };
  expect(mapDocuments('stressDetails', [row]).series).toMatchObject([
    { values: [25], start: '2026-05-07T21:46:00.000Z' },
  ]);
});

describe('workouts', () => {
  const run = {
    activityId: 77,
    activityType: 'RUNNING',
    startTimeInSeconds: 1_778_250_000,
    durationInSeconds: 1800,
    manual: false,
  };

  test('of a watch include their samples, and appear once', () => {
    expect(mapDocuments('activities', [run]).workouts).toEqual([]);
    expect(mapDocuments('activityDetails', [{ summary: run }]).workouts).toMatchObject([{ id: '77' }]);
  });

  test('without details are mapped without samples', () => {
    expect(mapDocuments('activities', [{ ...run, manual: true }]).workouts).toMatchObject([{ id: '77' }]);
    expect(mapDocuments('activities', [{ ...run, parentSummaryId: 'x' }]).workouts).toMatchObject([
      { id: '77' },
    ]);
    expect(mapDocuments('manuallyUpdatedActivities', [run]).workouts).toMatchObject([{ id: '77' }]);
  });

  test('of several sports count by their parts', () => {
    const parent = { ...run, activityType: 'MULTI_SPORT', isParent: true, manual: true };
    for (const stream of ['activities', 'manuallyUpdatedActivities'])
      expect(mapDocuments(stream, [parent]).workouts).toEqual([]);
    expect(mapDocuments('activityDetails', [{ summary: parent }]).workouts).toEqual([]);
    // A manual activity has no parts, so the parent counts.
    expect(mapDocuments('activities', [{ ...parent, isParent: false }]).workouts).toHaveLength(1);
  });

  test.each([
    ['TRAIL_RUNNING', 'trail_running'],
    ['TREADMILL_RUNNING', 'treadmill_running'],
    ['ROAD_BIKING', 'cycling'],
    ['INDOOR_CYCLING', 'indoor_cycling'],
    ['LAP_SWIMMING', 'swimming'],
    ['OPEN_WATER_SWIMMING', 'open_water_swimming'],
    ['WALKING', 'walking'],
    ['STRENGTH_TRAINING', 'strength_training'],
  ])('maps %s to the sport %s', (word, sport) => {
    expect(sportTypeOf(word)).toBe(sport);
  });
});

const odd: unknown[] = [
  null,
  1,
  'x',
  [],
  [[]],
  {},
  { summary: 7, samples: [null, 3], naps: 'x', sleepLevelsMap: [] },
];

test.each(garmin.streams.map(({ name }) => name))('%s ignores invalid rows', (stream) => {
  const broken = {
    ...Object.fromEntries(
      ['calendarDate', 'startTimeInSeconds', 'activityId'].map((name) => [name, { odd }]),
    ),
    naps: [null, { napStartTimeInSeconds: 'x' }],
    manual: true,
  };
  for (const list of Object.values(mapDocuments(stream, [...odd, broken]))) expect(list).toEqual([]);
});
