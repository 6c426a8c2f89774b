import { scoreOf, weigh, type Component } from '../../publish/factors.ts';
import { interpolate, subScoreOf, type Knots } from '../../inputs/interpolate.ts';
import type { Ingredient, Scored, Sex } from '../../score.ts';

/** Food and drink logged for a date, and the values they are compared with. */
export interface NutritionInput {
  readonly dietaryEnergyKcal: number | null;
  readonly fiberGrams: number | null;
  readonly proteinGrams: number | null;
  readonly addedSugarGrams: number | null;
  /** Total sugar, for logs without added sugar. */
  readonly sugarGrams: number | null;
  readonly saturatedFatGrams: number | null;
  readonly monounsaturatedFatGrams: number | null;
  readonly polyunsaturatedFatGrams: number | null;
  readonly sodiumMg: number | null;
  readonly potassiumMg: number | null;
  readonly waterMl: number | null;
  readonly weightKg: number | null;
  readonly sex: Sex;
  readonly restingEnergyKcal: number | null;
  readonly totalEnergyKcal: number | null;
}

/** Half of the standards are met. */
export const neutral = 50;

// A log below this covers only part of the day.
const leastKcal = 500;
const leastShareOfResting = 0.5;
const leastComponents = 3;
const leastWeight = 0.5;

const kcalPerGram = { protein: 4, sugar: 4, fat: 9 };

// IOM 2005: 14 g per 1000 kcal. WHO 2023: 25 g per day.
const fiberKnots: Knots = [
  [0, 0],
  [14, 100],
];

// IOM 2005: 0.8 g per kg of body weight. Jager 2017: 1.2 and more for people who train or are older.
const proteinPerKgKnots: Knots = [
  [0, 0],
  [0.8, 70],
  [1.2, 100],
  [2.2, 100],
  [3, 70],
];
// IOM 2005: 10 to 35% of energy.
const proteinPercentKnots: Knots = [
  [5, 0],
  [10, 70],
  [15, 100],
  [35, 100],
  [45, 50],
];

// HEI-2020: added sugar, 6.5% of energy for full marks and 26% for none. WHO 2015 recommends less than 10% free sugars.
const addedSugarKnots: Knots = [
  [6.5, 100],
  [26, 0],
];
// Chosen: total sugar includes that of fruit and milk.
const sugarKnots: Knots = [
  [15, 100],
  [40, 0],
];

// HEI-2020: 8% of energy for full marks, 16% for none. WHO 2023 recommends less than 10%.
const saturatedFatKnots: Knots = [
  [8, 100],
  [16, 0],
];

// HEI-2020: 1.1 g per 1000 kcal for full marks, 2.0 g for none.
const sodiumKnots: Knots = [
  [1100, 100],
  [2000, 0],
];

// HEI-2020: unsaturated to saturated fat, 2.5 for full marks, 1.2 for none.
const fatQualityKnots: Knots = [
  [1.2, 0],
  [2.5, 100],
];

// WHO 2012: 3510 mg per day, at 2000 kcal.
const potassiumKnots: Knots = [
  [0, 0],
  [1755, 100],
];

// EFSA 2010: 2.5 and 2.0 L per day, a fifth of it from food.
const drinkMl = { male: 2000, female: 1600, unknown: 1800 };

// Chosen: within a tenth of the expenditure is full marks.
const energyBalanceKnots: Knots = [
  [0.4, 0],
  [0.6, 40],
  [0.9, 100],
  [1.1, 100],
  [1.4, 40],
  [1.6, 0],
];

/** How close was the logged diet to nutrient standards? Null for a log of part of a day or of too few nutrients. */
export function scoreNutrition(input: NutritionInput): Scored | null {
  const { dietaryEnergyKcal: eatenKcal, totalEnergyKcal: spentKcal } = input;
  const balance =
    eatenKcal !== null && spentKcal ? interpolate(energyBalanceKnots, eatenKcal / spentKcal) : null;
  const ingredients = weighNutrition(input, balance);
  return ingredients && scoreOf('nutrition_score', neutral, ingredients, {});
}

/** Weighs all nutrients and the energy balance. Null for a log of part of a day or of too few nutrients. */
export function weighNutrition(input: NutritionInput, energyBalance: number | null): Ingredient[] | null {
  const { dietaryEnergyKcal: eatenKcal, restingEnergyKcal } = input;
  const neededKcal = Math.max(leastKcal, leastShareOfResting * (restingEnergyKcal ?? 0));
  if (eatenKcal === null || eatenKcal < neededKcal) return null;
  const per1000Kcal = (amount: number | null) => amount && (1000 * amount) / eatenKcal;
  const percentOfEnergy = (grams: number | null, kcal: number) => grams && (100 * grams * kcal) / eatenKcal;
  const saturatedPercent = percentOfEnergy(input.saturatedFatGrams, kcalPerGram.fat);
  // The Healthy Eating Index scores nutrients linearly between a standard for full marks and one for none. Its other half, food groups, is left out
  // because health platforms report nutrients. Weights are chosen.
  const components: Component[] = [
    ['fiber', 0.2, subScoreOf(fiberKnots, per1000Kcal(input.fiberGrams))],
    ['protein', 0.15, scoreProtein(input, eatenKcal)],
    ['added_sugar', 0.15, scoreSugar(input, eatenKcal)],
    ['saturated_fat', 0.15, subScoreOf(saturatedFatKnots, saturatedPercent)],
    ['sodium', 0.15, subScoreOf(sodiumKnots, per1000Kcal(input.sodiumMg))],
    ['fat_quality', 0.05, scoreFatQuality(input)],
    ['potassium', 0.05, subScoreOf(potassiumKnots, per1000Kcal(input.potassiumMg))],
    ['hydration', 0.05, scoreWater(input)],
    ['energy_balance', 0.05, energyBalance],
  ];
  const ingredients = weigh(neutral, components, leastWeight);
  return ingredients === null || ingredients.length < leastComponents ? null : ingredients;
}

function scoreProtein({ proteinGrams, weightKg }: NutritionInput, eatenKcal: number): number | null {
  if (proteinGrams === null) return null;
  if (weightKg) return interpolate(proteinPerKgKnots, proteinGrams / weightKg);
  return interpolate(proteinPercentKnots, (100 * proteinGrams * kcalPerGram.protein) / eatenKcal);
}

function scoreSugar({ addedSugarGrams, sugarGrams }: NutritionInput, eatenKcal: number): number | null {
  const grams = addedSugarGrams ?? sugarGrams;
  if (grams === null) return null;
  const knots = addedSugarGrams === null ? sugarKnots : addedSugarKnots;
  return interpolate(knots, (100 * grams * kcalPerGram.sugar) / eatenKcal);
}

function scoreFatQuality(input: NutritionInput): number | null {
  const {
    monounsaturatedFatGrams: mono,
    polyunsaturatedFatGrams: poly,
    saturatedFatGrams: saturated,
  } = input;
  if (mono === null || poly === null || !saturated) return null;
  return interpolate(fatQualityKnots, (mono + poly) / saturated);
}

function scoreWater({ waterMl, sex }: NutritionInput): number | null {
  if (waterMl === null) return null;
  const wantedMl = sex === 'male' || sex === 'female' ? drinkMl[sex] : drinkMl.unknown;
  return interpolate(
    [
      [0, 0],
      [wantedMl, 100],
    ],
    waterMl,
  );
}
