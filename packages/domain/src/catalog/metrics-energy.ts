import { counted, highest, latest, lowest, mean, runsAllDay, total, type Row } from './row.ts';

/** Energy expenditure. */
export const energyRows: readonly Row[] = [
  total(72, 'active_calories', 'Active energy', 'kcal', [0, 15_000], { by: counted, perMinute: 35 }),
  total(73, 'resting_energy', 'Resting energy', 'kcal', [0, 5000], { by: runsAllDay, perMinute: 4 }),
  total(74, 'total_energy', 'Total energy', 'kcal', [0, 18_000], { perMinute: 38, derived: true }),
  latest(75, 'basal_metabolic_rate', 'Basal metabolic rate', 'kcal/d', [400, 5000], { by: mean }),
  total(76, 'exercise_energy', 'Exercise energy', 'kcal', [0, 15_000], { derived: true }),
  total(77, 'energy_balance', 'Energy balance', 'kcal', [-15_000, 15_000], { derived: true }),
  latest(78, 'device_energy_level', 'Device energy level', 'score', [0, 100], { by: mean }),
  highest(79, 'energy_reserve_high', 'Highest energy reserve', 'score', [0, 100], {
    decimals: 1,
    derived: true,
  }),
  lowest(80, 'energy_reserve_low', 'Lowest energy reserve', 'score', [0, 100], {
    decimals: 1,
    derived: true,
  }),
];
