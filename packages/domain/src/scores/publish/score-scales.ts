import type { ScoreType } from '../score.ts';

/** How to interpret a score. */
export interface ScoreScale {
  /** The value when nothing moves it. */
  readonly neutral: number;
  readonly higherIs: 'better' | 'more load' | 'more stress' | 'more reserve';
  /** Each band starts at this value. */
  readonly bands: readonly (readonly [from: number, name: string])[];
  /** The minimum data for a score, in words. */
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
      'heart rate variability or resting heart rate for the date, with 3 earlier readings of the same metric, and inputs with at least 0.45 of the total weight',
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
      '600 minutes of heart rate, or a workout with heart rate, zones or perceived exertion, or active calories and a body weight',
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
    minimum: 'time asleep, and a main sleep that ends on the date',
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
      'either 36 five-minute epochs awake at rest, with such epochs on 3 of the previous 14 days, or heart rate variability or resting heart rate for the date, with 3 earlier readings of the same metric',
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
      'a full day of food: at least 500 kcal and half of the resting energy, with 3 nutrients that make up half of the total weight',
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
    minimum: 'time asleep, and a main sleep that ends on the date',
  },
};

/** The word for a value. */
export function bandOf(type: ScoreType, value: number): string {
  return scoreScales[type].bands.findLast(([from]) => value >= from)![1];
}
