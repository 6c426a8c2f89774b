import { expect, test } from 'vitest';
import { chanceOf, digitsOf } from './hash.ts';

test('returns the same number for the same words and a different one for others', () => {
  expect(chanceOf('a', 1, 'b')).toBe(chanceOf('a', 1, 'b'));
  const numbers = new Set(Array.from({ length: 20_000 }, (_, n) => chanceOf(7, 'x', n)));
  expect(numbers.size).toBe(20_000);
  expect(chanceOf('ab', 'c')).not.toBe(chanceOf('a', 'bc'));
});

test('distributes numbers evenly from 0 to 1, even for similar words', () => {
  const tenths = Array.from({ length: 10 }, () => 0);
  let together = 0;
  for (let n = 0; n < 20_000; n += 1) {
    const chance = chanceOf(1, 'person-1', n);
    tenths[Math.floor(chance * 10)]! += 1;
    together += (chance - 0.5) * (chanceOf(1, 'person-1', n + 1) - 0.5);
  }
  expect(tenths.length).toBe(10);
  for (const tenth of tenths) expect(Math.abs(tenth - 2000)).toBeLessThan(220);
  expect(Math.abs(together / 20_000)).toBeLessThan(0.003);
});

test('returns the requested number of digits', () => {
  for (let n = 0; n < 1000; n += 1) expect(digitsOf(11, 'user', n)).toMatch(/^[1-9]\d{10}$/);
});
