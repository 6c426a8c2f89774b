import { score, type Row } from './row.ts';

/** The six scores. */
export const scoreRows: readonly Row[] = [
  score(233, 'recovery_score', 'Recovery', 'score', [0, 100], { decimals: 1 }),
  score(234, 'strain_score', 'Strain', 'score', [0, 100], { decimals: 1 }),
  score(235, 'sleep_score', 'Sleep', 'score', [0, 100], { decimals: 1 }),
  score(236, 'nutrition_score', 'Nutrition', 'score', [0, 100], { decimals: 1 }),
  score(237, 'energy_reserve_score', 'Energy reserve', 'score', [0, 100], { decimals: 1 }),
  score(238, 'stress_score', 'Stress', 'score', [0, 100], { decimals: 1, aggregation: 'avg' }),
];
