import { describe, expect, test } from 'vitest';
import { bar, barBetween, heavy, hourLine, light, lineOf, sparkline, thinOut } from './charts.ts';

describe('sparkline', () => {
  test('rises by equal ratios from the lowest to the highest value', () => {
    const values = Array.from({ length: 9 }, (_, at) => 40 * 2 ** (at / 4) * 1.001);
    expect(sparkline(values, 40, 160)).toBe('▁▂▃▄▅▆▇██');
  });

  test('shows gaps, stays within its bounds, and is flat for equal values', () => {
    expect(sparkline([30, null, 200], 40, 160)).toBe('▁·█');
    expect(sparkline([60, 60], 60, 60)).toBe('▁▁');
    expect(sparkline([], Infinity, -Infinity)).toBe('');
  });
});

test('reduces values to means of the existing ones', () => {
  expect(thinOut([1, 3, null, 5, null, null], 2)).toEqual([2, 5, null]);
});

test.each([
  [0, 3, 0, '━━━'],
  [0.5, 3, 0, '╺━━'],
  [0, 2.5, 0, '━━╸'],
  [1.5, 2.5, 1, '╺╸'],
  [2, 2.1, 2, '╸'],
  [2.5, 2.6, 2, '╺'],
  [-1, 1.5, -1, '━━╸'],
])('draws a bar from %d to %d starting in cell %d: %s', (from, to, at, text) => {
  expect(barBetween(from, to, heavy)).toEqual({ at, text });
});

test('draws a nap as a thin bar, and no bar as empty', () => {
  expect(barBetween(0.5, 2.5, light).text).toBe('╶─╴');
  expect(bar(0)).toBe('╸');
});

test('cuts text beyond the edges of a line', () => {
  const texts = [
    { at: -1, text: 'abc' },
    { at: 4, text: 'xyz' },
  ];
  expect(lineOf(6, texts)).toBe('bc  xy');
});

test('places hours where they begin, including the previous evening', () => {
  expect(hourLine(24, 0, 24)).toBe('00  04  08  12  16  20  ');
  expect(hourLine(32, -4, 12)).toBe('20  22  00  02  04  06  08  10  ');
  expect(hourLine(26, -6, 20)).toBe('  20  00  04  08  12  16  ');
});
