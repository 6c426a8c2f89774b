import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findMetric } from '@tributary/domain';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { describeGoldens } from '../test/goldens.ts';
import { polar } from './index.ts';

describeGoldens(polar, import.meta.dirname, {
  fields: {
    activity: [
      'start_time',
      'active_duration',
      'inactive_duration',
      'calories',
      'active_calories',
      'steps',
      'distance_from_steps',
    ],
    sleep: [
      'date',
      'sleep_start_time',
      'sleep_end_time',
      'light_sleep',
      'deep_sleep',
      'rem_sleep',
      'unrecognized_sleep_stage',
      'total_interruption_duration',
      'sleep_score',
      'sleep_cycles',
      'hypnogram.{}',
      'heart_rate_samples.{}',
    ],
    'nightly-recharge': [
      'sleep_start_time',
      'sleep_end_time',
      'recharge.date',
      'recharge.heart_rate_avg',
      'recharge.heart_rate_variability_avg',
      'recharge.breathing_rate_avg',
      'recharge.nightly_recharge_status',
      'recharge.hrv_samples.{}',
    ],
    'heart-rate': [
      'day.date',
      'day.heart_rate_samples.[].heart_rate',
      'day.heart_rate_samples.[].sample_time',
      'known_times.[]',
    ],
    exercises: [
      'id',
      'start_time',
      'start_time_utc_offset',
      'duration',
      'calories',
      'distance',
      'heart_rate.average',
      'heart_rate.maximum',
      'sport',
      'detailed_sport_info',
      'samples.[].recording-rate',
      'samples.[].sample-type',
      'samples.[].data',
    ],
    'physical-info': ['weight', 'height', 'vo2_max', 'modified'],
    'cardio-load': ['date', 'cardio_load'],
    'skin-temperature': [
      'sleep_date',
      'sleep_time_skin_temperature_celsius',
      'deviation_from_baseline_celsius',
    ],
    'blood-oxygen': ['blood_oxygen_percent', 'test_time', 'time_zone_offset'],
  },
  interchangeable: [['sport', 'detailed_sport_info', 'the detail replaces a sport that is OTHER']],
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
      const recorded = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
        stream: string;
        documents: Documents;
      };
      polar.streams.find(({ name }) => name === recorded.stream)!.map(recorded.documents, all);
    }
    const { daily, series, records, sleep, workouts } = all.lists;
    const goldenMetrics = [
      ...[...daily, ...series, ...records].map(({ metric }) => metric),
      ...sleep.flatMap(({ minutes = {}, vitals = {} }) => [
        ...Object.keys(minutes).map((name) => sleepMetrics[name as keyof typeof sleepMetrics]),
        ...Object.keys(vitals),
      ]),
      ...workouts.flatMap(({ values = {} }) => Object.keys(values)),
    ];
    expect([...new Set(goldenMetrics)].sort()).toEqual([...polar.metrics].sort());
    for (const metric of polar.metrics) expect(findMetric(metric)?.id).toBe(metric);
  });

  test.each(polar.streams.map(({ name, map }) => ({ name, map })))(
    'of broken documents of $name is empty',
    ({ map }) => {
      const batch = new BatchBuilder();
      const times = { sleep_start_time: 'x', sleep_end_time: 7, hypnogram: [], start_time: 5, day: [] };
      map([null, 7, 'x', [], {}, times, { recharge: 3, day: { date: 'x' }, known_times: {} }], batch);
      expect(Object.values(batch.lists).flat()).toEqual([]);
    },
  );
});
