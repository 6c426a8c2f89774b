import type { Archetype } from '@tributary/contract';
import { describe, expect, test } from 'vitest';
import { dayStartMs } from '../days.ts';
import { scoreDay } from './score-day.ts';
import { firstDay, simulateDays } from './test/simulate-days.ts';

/** [sleep, recovery, strain, stress, nutrition, reserve] of each day. */
type Week = [number, number | null, number, number | null, number, number][];

const golden: [Archetype, Week][] = [
  [
    'office_worker',
    [
      [93.7, null, 7.6, null, 60.7, 35.0],
      [87.1, null, 43.5, null, 59.8, 26.4],
      [77.8, null, 28.2, null, 63.1, 29.0],
      [66.2, 37.9, 44.3, 37.1, 82.7, 19.0],
      [80.2, 47.1, 19.3, 36.7, 71.9, 25.0],
      [86.0, 56.2, 48.2, 26.5, 72.8, 25.3],
      [94.0, 58.1, 11.0, 27.0, 66.3, 36.7],
    ],
  ],
  [
    'athlete',
    [
      [96.1, null, 52.3, null, 92.7, 26.8],
      [91.7, null, 50.4, null, 76.3, 23.5],
      [81.9, null, 67.7, null, 84.0, 21.2],
      [85.8, 56.4, 36.3, 24.8, 59.7, 31.8],
      [91.1, 53.5, 57.0, 42.4, 76.4, 21.4],
      [85.3, 55.2, 81.7, 27.5, 86.3, 22.2],
      [84.7, 41.1, 26.9, 55.0, 83.2, 20.9],
    ],
  ],
  [
    'shift_worker',
    [
      [40.3, null, 24.0, null, 65.7, 23.5],
      [60.5, null, 9.7, null, 62.7, 31.5],
      [65.0, null, 13.8, null, 67.1, 16.0],
      [55.0, 41.6, 32.6, 33.4, 67.2, 23.0],
      [56.4, 42.2, 30.6, 33.7, 81.3, 27.4],
      [60.6, 46.4, 9.6, 22.9, 58.3, 53.6],
      [62.1, 63.1, 17.1, 11.9, 65.0, 37.3],
    ],
  ],
];

const order = [
  'sleep_score',
  'recovery_score',
  'strain_score',
  'stress_score',
  'nutrition_score',
  'energy_reserve_score',
] as const;

/**
 * The expected values come from a simpler implementation: the resting heart rate was the median of any number of days, sleep was rounded to
 * five minutes, the next night began at the same time as this one, and there was no rest after a workout.
 */
function toleranceOf(type: (typeof order)[number], at: number): number {
  if (type === 'sleep_score' || type === 'nutrition_score') return 0;
  if (type === 'strain_score') return at === 0 || at >= 3 ? 0 : 8;
  if (type === 'recovery_score') return 0.6;
  return type === 'stress_score' ? 1 : 2.6;
}

describe('scores of recipe 1 for simulated weeks without measurement error', () => {
  test.each(golden)('match the expected values for %s', (archetype, expected) => {
    const days = simulateDays(archetype, 7, '42');
    const week = expected.map((_, at) => {
      const { scores } = scoreDay(days, firstDay + at, dayStartMs(firstDay + 7, 'UTC'), 1);
      return order.map((type) => scores[type]?.value ?? null);
    });
    for (const [at, day] of expected.entries()) {
      for (const [column, value] of day.entries()) {
        const actual = week[at]![column]!;
        if (value === null || actual === null) expect(actual).toBe(value);
        else expect(Math.abs(actual - value)).toBeLessThanOrEqual(toleranceOf(order[column]!, at));
      }
    }
  });
});
