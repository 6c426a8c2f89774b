import type { ScoreType } from './score.ts';

/** How to read a score. */
export interface ScoreScale {
  /** Where it stands when nothing moves it. */
  readonly neutral: number;
  readonly higherIs: 'better' | 'more load' | 'more stress' | 'more reserve';
  /** Each from this value on. */
  readonly bands: readonly (readonly [from: number, name: string])[];
  /** What it takes at least, in words. */
  readonly minimum: string;
}

export const scoreScales: Readonly<Record<ScoreType, ScoreScale>> = {
  recovery_score: {
    neutral: 50,
    higherIs: 'better',
    bands: [
      [0, 'low'],
      [34, 'moderate'],
      [67, 'high'],
    ],
    minimum:
      'heart rate variability or resting heart rate of the date with 3 earlier readings of it, and 0.45 of the weight in all',
  },
  strain_score: {
    neutral: 0,
    higherIs: 'more load',
    bands: [
      [0, 'light'],
      [48, 'moderate'],
      [67, 'high'],
      [86, 'very high'],
    ],
    minimum:
      '600 minutes of heart rate, or a workout with heart rate, zones or perceived exertion, or active calories and a weight',
  },
  sleep_score: {
    neutral: 75,
    higherIs: 'better',
    bands: [
      [0, 'poor'],
      [60, 'fair'],
      [75, 'good'],
      [85, 'very good'],
    ],
    minimum: 'time asleep, with a main sleep that ends on the date',
  },
  stress_score: {
    neutral: 30,
    higherIs: 'more stress',
    bands: [
      [0, 'rest'],
      [26, 'low'],
      [51, 'medium'],
      [76, 'high'],
    ],
    minimum:
      '36 epochs of five minutes awake at rest, and such epochs on 3 of the 14 days before; or heart rate variability or resting heart rate of the date with 3 earlier readings of it',
  },
  nutrition_score: {
    neutral: 50,
    higherIs: 'better',
    bands: [
      [0, 'poor'],
      [51, 'needs work'],
      [81, 'good'],
    ],
    minimum:
      'food of a whole day: 500 kcal and half of the resting energy, with 3 nutrients that have half of the weight',
  },
  energy_reserve_score: {
    neutral: 0,
    higherIs: 'more reserve',
    bands: [
      [0, 'low'],
      [26, 'medium'],
      [51, 'high'],
      [76, 'very high'],
    ],
    minimum: 'time asleep, with a main sleep that ends on the date',
  },
};

/** The word for a value. */
export function bandOf(type: ScoreType, value: number): string {
  return scoreScales[type].bands.findLast(([from]) => value >= from)![1];
}
