import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import { describeGoldens } from '../test/goldens.ts';
import { strava } from './index.ts';

const [stream] = strava.streams;

const fields = [
  'id',
  'name',
  'sport_type',
  'type',
  'start_date',
  'utc_offset',
  'elapsed_time',
  'distance',
  'total_elevation_gain',
  'calories',
  'average_heartrate',
  'max_heartrate',
  'average_speed',
  'average_watts',
  'average_cadence',
];

describeGoldens(strava, import.meta.dirname, {
  fields: {
    activity: [
      ...fields.map((field) => `activity.${field}`),
      'streams.time.data.[]',
      'streams.heartrate.data.[]',
    ],
  },
});

test('lists exactly the metrics that the goldens contain', () => {
  const golden = join(import.meta.dirname, 'golden');
  const goldens = readdirSync(golden).map(
    (file) => JSON.parse(readFileSync(join(golden, file), 'utf8')) as Partial<BatchBuilder['lists']>,
  );
  const goldenMetrics = goldens.flatMap(({ records = [], workouts = [] }) => [
    ...records.map(({ metric }) => metric),
    ...workouts.flatMap(({ values = {} }) => Object.keys(values)),
  ]);
  expect([...new Set(goldenMetrics)].sort()).toEqual([...strava.metrics].sort());
});

test('thins out a long trace from its beginning to its end', () => {
  const batch = new BatchBuilder();
  const seconds = Array.from({ length: 30_000 }, (_, at) => at);
  const activity = { id: 1, sport_type: 'Ride', start_date: '2026-11-12T06:00:00Z', elapsed_time: 30_000 };
  const streams = { time: { data: seconds }, heartrate: { data: seconds.map((at) => 100 + (at % 50)) } };
  stream!.map([{ activity, streams }], batch);
  const trace = batch.lists.workouts[0]?.heart_rate;
  expect(trace?.values.length).toBe(6000);
  expect(trace?.offsets_seconds?.slice(0, 3)).toEqual([0, 5, 10]);
  expect(trace?.offsets_seconds?.at(-1)).toBe(29_995);
});

test.each([
  'distance',
  'total_elevation_gain',
  'calories',
  'average_speed',
  'average_watts',
  'average_cadence',
])('ignores a %s of zero', (field) => {
  const activity = { id: 1, sport_type: 'Ride', start_date: '2026-11-12T06:00:00Z', elapsed_time: 600 };
  const batch = new BatchBuilder();
  stream!.map([{ activity: { ...activity, [field]: 0 } }], batch);
  expect(batch.lists.workouts[0]?.values).toEqual({});
  expect(batch.lists.records).toEqual([]);
});

test.each([0, -5, 172_801, 1e300, null])('ignores a recording of %s seconds', (seconds) => {
  const batch = new BatchBuilder();
  const activity = { id: 1, sport_type: 'Ride', start_date: '2026-11-12T06:00:00Z', elapsed_time: seconds };
  stream!.map([{ activity }], batch);
  expect(batch.lists.workouts).toEqual([]);
});

test.each([
  ['Run', 'running'],
  ['TrailRun', 'running'],
  ['VirtualRun', 'running'],
  ['Ride', 'cycling'],
  ['GravelRide', 'cycling'],
  ['MountainBikeRide', 'cycling'],
  ['VirtualRide', 'cycling'],
  ['EBikeRide', null],
  ['Swim', null],
])('maps the averages of a %s to %s', (sport, family) => {
  const batch = new BatchBuilder();
  const activity = { id: 1, sport_type: sport, start_date: '2026-11-12T06:00:00Z', elapsed_time: 600 };
  stream!.map([{ activity: { ...activity, average_speed: 3, average_cadence: 80 } }], batch);
  const wanted = family === null ? [] : [`${family}_speed`, `${family}_cadence`];
  expect(batch.lists.records.map(({ metric }) => metric)).toEqual(wanted);
});

test('deletes an activity with all its data', () => {
  expect(stream!.deletes).toEqual(['workout', 'record']);
});
