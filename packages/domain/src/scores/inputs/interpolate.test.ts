import { expect, test } from 'vitest';
import { clamp } from '../../clamp.ts';
import { interpolate, subScoreOf } from './interpolate.ts';

const knots = [
  [10, 0],
  [20, 50],
  [20, 60],
  [40, 100],
] as const;

test.each([
  [-5, 0],
  [10, 0],
  [12, 10],
  [20, 50],
  [20.5, 61],
  [30, 80],
  [40, 100],
  [1000, 100],
])('evaluates the curve at %d as %d', (x, y) => {
  expect(interpolate(knots, x)).toBe(y);
});

test('returns null without a reading', () => {
  expect(subScoreOf(knots, null)).toBeNull();
  expect(subScoreOf(knots, 0)).toBe(0);
});

test('clamps a number between two limits', () => {
  expect([-3, 0.5, 7].map((x) => clamp(x, 0, 1))).toEqual([0, 0.5, 1]);
});
