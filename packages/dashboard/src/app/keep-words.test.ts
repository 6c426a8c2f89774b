import { expect, test } from 'vitest';
import { keepWords } from './keep-words.ts';

test('an address asks for what the page knows, in words', () => {
  const keep = keepWords('filter', 'day');
  expect(keep({ filter: 'late', day: 20260301, other: 'x' })).toEqual({ filter: 'late', day: '20260301' });
  expect(keep({ filter: '', day: { from: 1 } })).toEqual({});
});
