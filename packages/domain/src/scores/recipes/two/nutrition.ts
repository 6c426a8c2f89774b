import { interpolate, type Knots } from '../../inputs/interpolate.ts';
import { limitTo, scoreOf, type Limit } from '../../publish/factors.ts';
import type { Scored } from '../../score.ts';
import { neutral, weighNutrition, type NutritionInput } from '../one/nutrition.ts';

/** Food and drink logged for a date, and the person's usual resting energy. */
export interface NutritionInputTwo extends NutritionInput {
  /** The median of the previous 60 days. */
  readonly usualRestingEnergyKcal: number | null;
}

// Chosen. The lowest total expenditure is 1.2 times that of the body at rest, and 1.4 times is usual for sedentary people (FAO 2004).
const lowestActivity = 1.2;
const usualActivity = 1.4;
/** The resting energy of an adult per kg, and of an adult of unknown weight. */
const restingKcalPerKg = 22;
const unknownRestingKcal = 1450;

/** The sub-score by energy eaten per energy needed. Eating less than three quarters of the need never adds to the score. */
const energyBalanceKnots: Knots = [
  [0.5, 0],
  [0.75, 50],
  [0.9, 100],
  [1.1, 100],
  [1.4, 40],
  [1.6, 0],
];

/** The highest score by energy eaten per energy needed. Nutrients per calorie say little about a diet of too few calories. */
const shortfallLimit: Knots = [
  [0.5, 40],
  [0.75, 80],
  [0.9, 100],
];
const surplusLimit: Knots = [
  [1.5, 100],
  [2, 50],
];
/** The highest score by energy eaten, whatever the need, in kcal. */
const energyLimit: Knots = [
  [1000, 30],
  [1300, 100],
];

/** How close was the logged diet to nutrient standards and to the energy the person needs? Null for a log of part of a day or of too few nutrients. */
export function scoreNutritionTwo(input: NutritionInputTwo): Scored | null {
  const { dietaryEnergyKcal: eatenKcal } = input;
  if (eatenKcal === null) return null;
  const neededKcal = energyNeedOf(input);
  const eatenShare = eatenKcal / neededKcal;
  const weighed = weighNutrition(input, interpolate(energyBalanceKnots, eatenShare));
  if (weighed === null) return null;
  const limits: Limit[] = [
    [
      'too_little_energy',
      Math.min(interpolate(shortfallLimit, eatenShare), interpolate(energyLimit, eatenKcal)),
    ],
    ['too_much_energy', interpolate(surplusLimit, eatenShare)],
  ];
  const figures = { energy_need: neededKcal, energy_share: eatenShare };
  return scoreOf('nutrition_score', neutral, limitTo(neutral, weighed, limits), { figures, version: 2 });
}

/** The expenditure of the date, else an estimate. Today's expenditure is still growing, so it counts only if it exceeds the lowest plausible one. */
export function energyNeedOf(
  input: Pick<
    NutritionInputTwo,
    'totalEnergyKcal' | 'restingEnergyKcal' | 'usualRestingEnergyKcal' | 'weightKg'
  >,
): number {
  const { totalEnergyKcal, restingEnergyKcal, usualRestingEnergyKcal, weightKg } = input;
  const resting =
    usualRestingEnergyKcal ||
    (weightKg ? weightKg * restingKcalPerKg : restingEnergyKcal || unknownRestingKcal);
  return Math.max(lowestActivity * resting, totalEnergyKcal || usualActivity * resting);
}
