import type { CatalogMetricWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import { dailyValues, formatChange } from './daily-rows.ts';

const metric = (id: string, unit: string, kind: CatalogMetricWire['kind']) =>
  ({
    id,
    unit,
    kind,
    category: id === 'asleep' ? 'Sleep' : 'Activity',
    origin: 'measured',
  }) as CatalogMetricWire;
const catalog = new Map(
  [
    metric('steps', 'count', 'daily_total'),
    metric('resting_heart_rate', 'bpm', 'daily_average'),
    metric('sleep_skin_temperature', '°C', 'daily_average'),
    metric('asleep', 'min', 'daily_total'),
    metric('height', 'cm', 'latest'),
  ].map((one) => [one.id, one]),
);
const dates = ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13'];
const response = {
  dates,
  series: {
    steps: [1_000, 2_000, 3_000, 4_000],
    resting_heart_rate: [60, null, 60, 63],
    sleep_skin_temperature: [34, 34, 34, 34.6],
    asleep: [400, 400, 400, 300],
    height: [null, null, null, null],
  },
  units: { steps: 'count' },
  sources: {
    steps: [
      null,
      null,
      null,
      { provider: 'oura', device_id: 'dev_1', original_value: null, original_unit: null },
    ],
  },
};

test('compares a day with the days before it', () => {
  const values = dailyValues(response, catalog, '2026-11-13', { isRunning: false });
  const [steps, heart, skin] = values;
  expect(values.map((one) => one.metric.id)).not.toContain('height');
  expect(steps).toMatchObject({ value: 4_000, change: { by: 1, of: 'share' }, providers: ['oura'] });
  expect(heart).toMatchObject({ value: 63, change: null });
  expect(heart!.changeReason).toContain('Fewer than 3');
  expect(skin!.change!.of).toBe('unit');
  expect(formatChange(skin!.change!)).toBe('+0.6');
});

test('does not compare sums of an unfinished day, but compares its night', () => {
  const [steps, , , asleep] = dailyValues(response, catalog, '2026-11-13', { isRunning: true });
  expect(steps).toMatchObject({ value: 4_000, change: null });
  expect(asleep).toMatchObject({ value: 300, change: { by: -0.25, of: 'share' } });
});

test('formats changes with a minus sign, and zero without a sign', () => {
  expect(formatChange({ by: -0.024, of: 'share' })).toBe('−2%');
  expect(formatChange({ by: 0.001, of: 'share' })).toBe('0%');
});
