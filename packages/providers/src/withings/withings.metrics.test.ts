import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BatchWire } from '@tributary/contract';
import { findMetric } from '@tributary/domain';
import { expect, test } from 'vitest';
import { withings } from './index.ts';

const minutes: Record<string, string> = {
  asleep: 'asleep',
  awake: 'time_awake',
  deep: 'deep_sleep',
  in_bed: 'time_in_bed',
  light: 'light_sleep',
  rem: 'REM',
};

test('lists exactly the metrics that the goldens contain', () => {
  const folder = join(import.meta.dirname, 'golden');
  const goldens = readdirSync(folder).map(
    (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Partial<BatchWire>,
  );
  const goldenMetrics = goldens.flatMap(
    ({ series = [], records = [], daily = [], sleep = [], workouts = [] }) => [
      ...[...series, ...records, ...daily].map(({ metric }) => metric),
      ...sleep.flatMap((one) => Object.keys(one.minutes ?? {}).map((name) => minutes[name]!)),
      ...sleep.flatMap(({ vitals }) => Object.keys(vitals ?? {})),
      ...workouts.flatMap(({ values }) => Object.keys(values ?? {})),
    ],
  );
  expect([...withings.metrics].sort()).toEqual([...new Set(goldenMetrics)].sort());
  expect(withings.metrics.filter((id) => !findMetric(id))).toEqual([]);
});
