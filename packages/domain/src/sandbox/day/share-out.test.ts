import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareOut } from './share-out.ts';

test('splits by weight', () => {
  expect(shareOut(10, [25, 35, 40])).toEqual([3, 3, 4]);
  expect(shareOut(7, [0, 1, 0, 1])).toEqual([0, 4, 0, 3]);
});

test('returns zeros if all weights are zero', () => {
  expect(shareOut(5, [0, 0])).toEqual([0, 0]);
});

test('returns integers that add up exactly and are off by less than one', () => {
  const weights = fc
    .array(fc.double({ min: 0, max: 1000, noNaN: true }), { minLength: 1, maxLength: 300 })
    .filter((all) => all.some((weight) => weight > 1e-6));
  fc.assert(
    fc.property(fc.nat(50_000), weights, (total, all) => {
      const shares = shareOut(total, all);
      const sum = all.reduce((one, other) => one + other, 0);
      expect(shares.reduce((one, other) => one + other, 0)).toBe(total);
      shares.forEach((share, at) => {
        expect(Number.isInteger(share)).toBe(true);
        expect(Math.abs(share - (total * all[at]!) / sum)).toBeLessThan(1.001);
      });
    }),
  );
});
