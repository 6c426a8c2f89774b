import { expect, test } from 'vitest';
import { findMetric } from '../catalog/catalog.ts';
import { dayOf } from '../days.ts';
import { canonicalSleepValues } from './sleep-day.ts';

test('accepts nights that begin and end at any millisecond', () => {
  const startMs = Date.parse('2024-05-27T22:38:27.503Z');
  const endMs = Date.parse('2024-05-28T06:14:41Z');
  const canonicalValues = canonicalSleepValues(
    [{ startMs, endMs, isMain: true }],
    dayOf(endMs, 'UTC'),
    'UTC',
  );
  const minutes = (metric: string) => canonicalValues.get(findMetric(metric)!.no)! / 1e6;
  expect([minutes('bedtime'), minutes('sleep_midpoint'), minutes('wake_time')]).toEqual([-82, 147, 375]);
});
