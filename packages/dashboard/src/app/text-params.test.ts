import { expect, test } from 'vitest';
import { keepTextParams } from './text-params.ts';

test('keeps the parameters that the page knows, as text', () => {
  const keep = keepTextParams('filter', 'day');
  expect(keep({ filter: 'late', day: 20260301, other: 'x' })).toEqual({ filter: 'late', day: '20260301' });
  expect(keep({ filter: '', day: { from: 1 } })).toEqual({});
});
