import { expect, test } from 'vitest';
import { placeGroups, placesWith } from './navigation.ts';

test('shows only places with a page and no empty group', () => {
  const groups = placesWith((path) => path === 'keys');
  expect(groups.map(({ title, places }) => [title, places.map(({ path }) => path)])).toEqual([
    ['Connect', ['keys']],
  ]);
});

test('every letter leads to one place', () => {
  const letters = placeGroups.flatMap(({ places }) => places.map(({ letter }) => letter));
  expect(letters.join('')).toBe('ouewkprads');
});
