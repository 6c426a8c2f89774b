import type { DailyExplanationWire } from '@tributary/contract';
import { expect, test } from 'vitest';
import { partsOf } from './split-bar.tsx';

const candidate = (id: string, provider: string, value: number, outcome = 'contributed') => ({
  device: { id, provider, kind: 'watch' },
  value,
  outcome,
});
const explanation = (method: string, more: object = {}) =>
  ({
    method: { applied: method },
    candidates: [
      candidate('a', 'garmin', 100),
      candidate('b', 'oura', 50),
      candidate('c', 'polar', 9, 'lost'),
    ],
    merged: null,
    merged_truncated: false,
    ...more,
  }) as unknown as DailyExplanationWire;
const partValues = (one: DailyExplanationWire) =>
  partsOf(one, (id) => id).map(({ id, value }) => [id, value]);

test('contributions add up to the value', () => {
  expect(partValues(explanation('sum'))).toEqual([
    ['a', 100],
    ['b', 50],
  ]);
  expect(partValues(explanation('avg'))).toEqual([
    ['a', 50],
    ['b', 25],
  ]);
});

test('lists the time ranges of each device for a merged day', () => {
  const merged = [
    { device_id: 'a', value: 60 },
    { device_id: 'b', value: 20 },
    { device_id: 'a', value: 30 },
  ];
  expect(partValues(explanation('merge', { merged }))).toEqual([
    ['a', 90],
    ['b', 20],
  ]);
  expect(partValues(explanation('merge', { merged, merged_truncated: true }))).toEqual([]);
});

test('a value of one device has no parts', () => {
  expect(partValues(explanation('max'))).toEqual([]);
});
