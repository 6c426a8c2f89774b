import { expect, test } from 'vitest';
import { areaOf, extentOf, lineOf, pointsOf } from './line.ts';

const box = { width: 100, height: 50, margin: 0 };

test('scales values to the box with the highest at the top', () => {
  expect(pointsOf([0, 5, 10], box)).toEqual([
    { x: 0, y: 50 },
    { x: 50, y: 25 },
    { x: 100, y: 0 },
  ]);
});

test('does not connect points across a gap', () => {
  const points = pointsOf([1, 2, null, 2, 1], box);
  expect(lineOf(points)).toBe('M0 50L25 0M75 0L100 50');
  expect(areaOf(points, 50)).toBe('M0 50L25 0L25 50L0 50ZM75 0L100 50L100 50L75 50Z');
});

test('draws no NaN for an empty list or a single value', () => {
  expect(lineOf(pointsOf([], box))).toBe('');
  expect(lineOf(pointsOf([null, null], box))).toBe('');
  expect(lineOf(pointsOf([7], box))).not.toContain('NaN');
  expect(extentOf([null])).toEqual([0, 1]);
});
