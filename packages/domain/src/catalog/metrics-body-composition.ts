import { latest, mean, peakOrMean, type Row } from './row.ts';

/** Weight, size and body composition. */
export const bodyCompositionRows: readonly Row[] = [
  latest(81, 'weight', 'Weight', 'kg', [10, 500], { by: peakOrMean, decimals: 2, imperialDecimals: 1 }),
  latest(82, 'height', 'Height', 'cm', [50, 260], { by: mean, decimals: 1 }),
  latest(83, 'body_mass_index', 'Body mass index', 'kg/m2', [8, 120], { by: mean, decimals: 1 }),
  latest(84, 'body_fat_percentage', 'Body fat', '%', [2, 75], { group: 'body_composition', decimals: 1 }),
  latest(85, 'body_fat_mass', 'Fat mass', 'kg', [0.5, 300], {
    group: 'body_composition',
    decimals: 2,
    imperialDecimals: 1,
  }),
  latest(86, 'lean_body_mass', 'Lean body mass', 'kg', [8, 200], {
    group: 'body_composition',
    decimals: 2,
    imperialDecimals: 1,
  }),
  latest(87, 'muscle_mass', 'Muscle mass', 'kg', [4, 150], {
    group: 'body_composition',
    decimals: 2,
    imperialDecimals: 1,
  }),
  latest(88, 'skeletal_muscle_mass', 'Skeletal muscle mass', 'kg', [3, 100], {
    group: 'body_composition',
    decimals: 2,
    imperialDecimals: 1,
  }),
  latest(89, 'bone_mass', 'Bone mass', 'kg', [0.3, 12], { group: 'body_composition', decimals: 2 }),
  latest(90, 'body_water_mass', 'Body water', 'kg', [4, 200], {
    group: 'body_composition',
    decimals: 2,
    imperialDecimals: 1,
  }),
  latest(91, 'body_water_percentage', 'Body water percentage', '%', [20, 85], {
    group: 'body_composition',
    decimals: 1,
  }),
  latest(92, 'intracellular_water', 'Intracellular water', 'kg', [2, 120], {
    group: 'body_composition',
    decimals: 2,
    imperialDecimals: 1,
  }),
  latest(93, 'extracellular_water', 'Extracellular water', 'kg', [1, 80], {
    group: 'body_composition',
    decimals: 2,
    imperialDecimals: 1,
  }),
  latest(94, 'visceral_fat_level', 'Visceral fat level', 'level', [0, 60], {
    group: 'body_composition',
    decimals: 1,
  }),
  latest(95, 'metabolic_age', 'Metabolic age', 'years', [5, 120], { group: 'body_composition' }),
  latest(96, 'waist_circumference', 'Waist circumference', 'cm', [30, 250], { group: 'girth', decimals: 1 }),
  latest(97, 'hip_circumference', 'Hip circumference', 'cm', [40, 250], { group: 'girth', decimals: 1 }),
  latest(98, 'waist_to_height_ratio', 'Waist-to-height ratio', 'ratio', [0.2, 1.6], {
    decimals: 2,
    derived: true,
  }),
];
