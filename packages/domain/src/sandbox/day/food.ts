import type { DayEnergy } from './energy.ts';
import type { DayPlan } from './plan.ts';

/** Food and drink of a day, in catalog units. */
export interface DayFood {
  readonly dietary_energy: number;
  readonly protein: number;
  readonly fiber: number;
  readonly added_sugar: number;
  readonly fat_saturated: number;
  readonly sodium: number;
  readonly potassium: number;
  readonly water: number;
}

/** Intake roughly matches expenditure. The quality of the diet affects all nutrients together. */
export function foodOf({ traits, chance }: DayPlan, energy: DayEnergy): DayFood {
  const spent = 1.1 * energy.restingCalories + energy.activeCalories;
  const quality = traits.diet + 0.5 * chance.normal('diet');
  const eaten = Math.round(spent * (1 - 0.02 * quality + 0.1 * chance.normal('kcal')));
  const density = (name: string, usual: number, byQuality: number, sd: number, least: number) =>
    Math.max(least, usual + byQuality * quality + sd * chance.normal(name));
  return {
    dietary_energy: eaten,
    // Percent of energy at 4 and 9 kcal per gram. Fiber is in grams per 1,000 kcal, and salts are in milligrams per kcal.
    protein: Math.round((eaten * density('protein', 16, 2, 1.5, 8)) / 400),
    fiber: Math.round((eaten * density('fiber', 9, 2.5, 1.5, 3)) / 1000),
    added_sugar: Math.round((eaten * density('sugar', 13, -4, 3, 2)) / 400),
    fat_saturated: Math.round((eaten * density('satfat', 11.5, -2, 1.5, 4)) / 900),
    sodium: Math.round(eaten * density('sodium', 1.6, -0.2, 0.15, 0.7)),
    potassium: Math.round(eaten * density('potassium', 1.25, 0.25, 0.15, 0.5)),
    water: Math.round(density('water', 1700, 250, 250, 400)),
  };
}
