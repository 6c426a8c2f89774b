import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import { describeGoldens } from '../test/goldens.ts';
import { whoop } from './index.ts';
import { dateOfCycle } from './values.ts';

const scored = (...names: string[]) => names.map((name) => `score.${name}`);

describeGoldens(whoop, import.meta.dirname, {
  fields: {
    sleep: [
      'sleep.id',
      'sleep.start',
      'sleep.end',
      'sleep.timezone_offset',
      'sleep.nap',
      'sleep.score.stage_summary.total_in_bed_time_milli',
      'sleep.score.stage_summary.total_awake_time_milli',
      'sleep.score.stage_summary.total_light_sleep_time_milli',
      'sleep.score.stage_summary.total_slow_wave_sleep_time_milli',
      'sleep.score.stage_summary.total_rem_sleep_time_milli',
      'sleep.score.respiratory_rate',
      'sleep.score.sleep_performance_percentage',
      'recovery.score.user_calibrating',
      'recovery.score.recovery_score',
      'recovery.score.resting_heart_rate',
      'recovery.score.hrv_rmssd_milli',
      'recovery.score.spo2_percentage',
      'recovery.score.skin_temp_celsius',
    ],
    cycle: [
      'start',
      'timezone_offset',
      ...scored('strain', 'kilojoule', 'average_heart_rate', 'max_heart_rate'),
    ],
    workout: [
      'id',
      'sport_name',
      'start',
      'end',
      'timezone_offset',
      ...scored('average_heart_rate', 'max_heart_rate', 'kilojoule', 'distance_meter', 'altitude_gain_meter'),
    ],
    body: ['read_on', 'body.height_meter', 'body.weight_kilogram'],
    sleep_heart_rate: ['stream.[].timestamp', 'stream.[].hr'],
  },
});

test('lists exactly the metrics that the goldens contain', () => {
  const golden = join(import.meta.dirname, 'golden');
  const goldens = readdirSync(golden).map(
    (file) => JSON.parse(readFileSync(join(golden, file), 'utf8')) as Partial<BatchBuilder['lists']>,
  );
  const minutes = {
    in_bed: 'time_in_bed',
    awake: 'time_awake',
    light: 'light_sleep',
    deep: 'deep_sleep',
    rem: 'REM',
    asleep: 'asleep',
  };
  const goldenMetrics = goldens.flatMap(
    ({ series = [], records = [], daily = [], sleep = [], workouts = [] }) => [
      ...[...series, ...records, ...daily].map(({ metric }) => metric),
      ...sleep.flatMap((one) => [
        ...Object.keys(one.vitals ?? {}),
        ...Object.keys(one.minutes ?? {}).map((name) => minutes[name as keyof typeof minutes]),
      ]),
      ...workouts.flatMap((one) => Object.keys(one.values ?? {})),
    ],
  );
  expect([...new Set(goldenMetrics)].sort()).toEqual([...whoop.metrics].sort());
});

describe('the date of a cycle', () => {
  test.each([
    ['to bed before midnight', '2026-11-10T21:30:00Z', '+01:00', '2026-11-11'],
    ['to bed after midnight', '2026-11-10T23:40:00Z', '+01:00', '2026-11-11'],
    ['to bed long after midnight', '2026-11-11T03:30:00Z', '+01:00', '2026-11-11'],
    ['during the day, after a night shift', '2026-11-11T08:00:00Z', '+01:00', '2026-11-11'],
    ['west of Greenwich, where it is the next date in UTC', '2026-11-11T03:00:00Z', '-05:00', '2026-11-11'],
    ['far in the east, where it is the previous date in UTC', '2026-11-10T11:00:00Z', '+13:00', '2026-11-11'],
    ['in Greenwich', '2026-11-10T23:00:00Z', 'Z', '2026-11-11'],
    ['without a known offset', '2026-11-10T23:00:00Z', 'somewhere', null],
    ['never', null, 'Z', null],
  ])('%s', (_, start, offset, date) => {
    expect(dateOfCycle(start, offset)).toBe(date);
  });

  test('does not change when the cycle ends', () => {
    const cycle = { start: '2026-11-10T23:40:00Z', timezone_offset: '+01:00', score: { strain: 3 } };
    const dates = [cycle, { ...cycle, end: '2026-11-12T01:00:00Z' }].map((one) => {
      const batch = new BatchBuilder();
      whoop.streams.find(({ name }) => name === 'cycle')?.map([one], batch);
      return batch.lists.daily[0]?.date;
    });
    expect(dates).toEqual(['2026-11-11', '2026-11-11']);
  });
});

test('deletes a sleep together with its recovery', () => {
  expect(whoop.streams.find(({ name }) => name === 'sleep')!.deletes).toEqual(['sleep', 'record']);
});
