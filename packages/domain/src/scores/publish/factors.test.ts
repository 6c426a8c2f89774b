import { describe, expect, test } from 'vitest';
import { addUp, entryOf, roundToMillionth, weigh } from './factors.ts';

const partsOf = (contributions: Record<string, number>) =>
  Object.entries(contributions).map(([name, contribution]) => ({ name, contribution }));

/** [name, contribution] of each factor. */
const shown = (neutral: number, contributions: Record<string, number>) => {
  const { value, factors } = addUp(neutral, partsOf(contributions));
  return [value, ...factors.map(({ name, contribution }) => [name, contribution])];
};

describe('a score', () => {
  test('adds its factors to the neutral point, largest first', () => {
    expect(addUp(50, partsOf({ small: 0.5, large: -8, none: 0 }))).toEqual({
      value: 42.5,
      factors: [
        { name: 'baseline', contribution: 50, direction: 'neutral' },
        { name: 'large', contribution: -8, direction: 'negative' },
        { name: 'small', contribution: 0.5, direction: 'positive' },
        { name: 'none', contribution: 0, direction: 'neutral' },
      ],
    });
  });

  test('has no baseline factor if its neutral point is 0', () => {
    expect(shown(0, { carried: 25, charged: 30 })).toEqual([55, ['charged', 30], ['carried', 25]]);
    expect(addUp(0, [])).toEqual({ value: 0, factors: [] });
  });

  test('keeps the order of the recipe among equal factors', () => {
    expect(shown(50, { first: -3, second: 3, third: -3 })).toEqual([
      47,
      ['baseline', 50],
      ['first', -3],
      ['second', 3],
      ['third', -3],
    ]);
  });

  test('gives missing tenths to the largest remainders, and to the first of equal ones', () => {
    expect(shown(50, { a: 1.02, b: 1.06, c: 1.02 })).toEqual([
      53.1,
      ['baseline', 50],
      ['b', 1.1],
      ['a', 1],
      ['c', 1],
    ]);
    expect(shown(50, { a: 1.05, b: 1.05 })).toEqual([52.1, ['baseline', 50], ['a', 1.1], ['b', 1]]);
    expect(shown(50, { a: -1.05, b: -1.05 })).toEqual([47.9, ['baseline', 50], ['b', -1.1], ['a', -1]]);
  });

  test('rounds half up despite floating-point noise', () => {
    const dust = 1e-12;
    expect(addUp(30, partsOf({ a: 20.25 })).value).toBe(50.3);
    expect(addUp(30, partsOf({ a: 20.25 - dust })).value).toBe(50.3);
    expect(addUp(30, partsOf({ a: 20.249 })).value).toBe(50.2);
    expect(shown(50, { a: 1.05 - dust, b: 1.05 })).toEqual([52.1, ['baseline', 50], ['a', 1.1], ['b', 1]]);
    expect(shown(50, { a: 1.3 - dust, b: 1.05, c: 1.05 })).toEqual([
      53.4,
      ['baseline', 50],
      ['a', 1.3],
      ['b', 1.1],
      ['c', 1],
    ]);
  });

  test('scales negative contributions to reach 0, and positive ones to reach 100', () => {
    expect(shown(50, { up: 10, down: -80, further: -40 })).toEqual([
      0,
      ['baseline', 50],
      ['down', -40],
      ['further', -20],
      ['up', 10],
    ]);
    expect(shown(50, { up: 80, down: -10, further: 40 })).toEqual([
      100,
      ['baseline', 50],
      ['up', 40],
      ['further', 20],
      ['down', -10],
    ]);
  });

  test('stays within the range when it barely exceeds it', () => {
    expect(shown(50, { up: 50.5 })).toEqual([100, ['baseline', 50], ['up', 50]]);
    expect(shown(50, { down: -50.5 })).toEqual([0, ['baseline', 50], ['down', -50]]);
  });

  test('has a direction from half a point, after rounding', () => {
    const directions = (contribution: number) =>
      addUp(50, [{ name: 'a', contribution }]).factors[1]!.direction;
    expect([0.45, 0.44, -0.46, -0.44].map(directions)).toEqual([
      'positive',
      'neutral',
      'negative',
      'neutral',
    ]);
  });

  test('never shows negative zero', () => {
    const [factor] = addUp(0, [entryOf('none', -0)]).factors;
    expect(Object.is(factor!.contribution, 0)).toBe(true);
    expect(Object.is(addUp(0, partsOf({ none: -0 })).factors[0]!.contribution, 0)).toBe(true);
    expect(Object.is(entryOf('none', -0).contribution, 0)).toBe(true);
  });
});

describe('weights', () => {
  test('are rescaled over the components with data', () => {
    const weighed = weigh(
      50,
      [
        ['a', 0.2, 100],
        ['b', 0.5, null],
        ['c', 0.3, 0],
      ],
      0.5,
    );
    expect(weighed).toEqual([
      { name: 'a', weight: 0.2, share: 0.4, subScore: 100, contribution: 20 },
      { name: 'c', weight: 0.3, share: 0.6, subScore: 0, contribution: -30 },
    ]);
  });

  test('suffice at exactly the minimum', () => {
    // 0.1 + 0.7 is slightly less than 0.8.
    expect(
      weigh(
        50,
        [
          ['a', 0.1, 50],
          ['b', 0.7, 50],
        ],
        0.8,
      ),
    ).toHaveLength(2);
    expect(
      weigh(
        50,
        [
          ['a', 0.1, 50],
          ['b', 0.69, 50],
        ],
        0.8,
      ),
    ).toBeNull();
  });
});

test.each([
  [0, 0],
  [12.3456784, 12.345678],
  [12.3456786, 12.345679],
  [-12.3456786, -12.345679],
  [0.1 + 0.2, 0.3],
  [999.9999996, 1000],
  // Exactly between two: rounds to the even one.
  [0.0078125, 0.007812],
  [0.0234375, 0.023438],
  [-0.0078125, -0.007812],
  [-0.0234375, -0.023438],
  [350.9921875, 350.992188],
  // These seem to lie exactly between two but do not: the nearest double decides.
  [0.0000005, 0],
  [0.0000015, 0.000002],
  [0.0000025, 0.000003],
  [1.0000005, 1.000001],
  [2.0000015, 2.000002],
])('rounds %d to six decimals as %d', (value, expected) => {
  expect(roundToMillionth(value) + 0).toBe(expected);
});
