import { expect, test } from 'vitest';
import { metrics } from './catalog/catalog.ts';
import { didYouMean, suggest } from './suggest.ts';

const ids = metrics.map(({ id }) => id);

test.each([
  ['step', 'steps'],
  ['Steps', 'steps'],
  ['stpes', 'steps'],
  ['resting-heart-rate', 'resting_heart_rate'],
  ['restingHeartRate', 'resting_heart_rate'],
  ['heart_rat', 'heart_rate'],
  ['rem', 'REM'],
])('suggests for %s the metric %s', (name, metric) => {
  expect(suggest(name, ids)).toBe(metric);
});

test.each(['', '_', 'unicorns', 'x'.repeat(65), `time${'_'.repeat(100)}zone`, 'ab'])(
  'suggests nothing for %j',
  (name) => {
    expect(suggest(name, [...ids, 'timezone'])).toBeNull();
    expect(didYouMean(name, [...ids, 'timezone'])).toBe('');
  },
);

test('prefers the closest candidate, and the first of equals', () => {
  expect(suggest('weigth', ['height', 'weight'])).toBe('weight');
  expect(suggest('cat', ['bat', 'hat'])).toBe('bat');
});

test('suggests the only candidate that begins or ends with the name', () => {
  expect(didYouMean('start', ['start_date', 'end_date', 'metrics'])).toBe(' Did you mean `start_date`?');
  expect(didYouMean('date', ['start_date', 'end_date'])).toBe('');
});

test('returns an empty string or a question', () => {
  expect(didYouMean('time_zone', ['timezone'])).toBe(' Did you mean `timezone`?');
});
