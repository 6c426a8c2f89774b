import type { Band } from '../../../charts/trend.tsx';

export interface ScoreScale {
  type: string;
  label: string;
  /** Whether higher is better. Otherwise the colors are neutral. */
  isBetterHigher: boolean;
  bands: readonly Band[];
}

const bandsOf = (...bands: [from: number, label: string][]): Band[] =>
  bands.map(([from, label]) => ({ from, label }));

/** Scales of the scores, in display order. The bands match those of the service. */
export const scoreScales: readonly ScoreScale[] = [
  {
    type: 'recovery_score',
    label: 'Recovery',
    isBetterHigher: true,
    bands: bandsOf([0, 'Low'], [34, 'Moderate'], [67, 'High']),
  },
  {
    type: 'sleep_score',
    label: 'Sleep',
    isBetterHigher: true,
    bands: bandsOf([0, 'Poor'], [60, 'Fair'], [75, 'Good'], [85, 'Very good']),
  },
  {
    type: 'strain_score',
    label: 'Strain',
    isBetterHigher: false,
    bands: bandsOf([0, 'Light'], [48, 'Moderate'], [67, 'High'], [86, 'Very high']),
  },
  {
    type: 'stress_score',
    label: 'Stress',
    isBetterHigher: false,
    bands: bandsOf([0, 'Rest'], [26, 'Low'], [51, 'Medium'], [76, 'High']),
  },
  {
    type: 'energy_reserve_score',
    label: 'Energy reserve',
    isBetterHigher: true,
    bands: bandsOf([0, 'Low'], [26, 'Medium'], [51, 'High'], [76, 'Very high']),
  },
  {
    type: 'nutrition_score',
    label: 'Nutrition',
    isBetterHigher: true,
    bands: bandsOf([0, 'Poor'], [51, 'Needs work'], [81, 'Good']),
  },
];

export function scaleOf(type: string): ScoreScale | undefined {
  return scoreScales.find((scale) => scale.type === type);
}

/** The band name of a value. */
export function bandOf({ bands }: ScoreScale, value: number): string {
  return bands.findLast(({ from }) => value >= from)?.label ?? '';
}
