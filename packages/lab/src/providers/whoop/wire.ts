const kcalInKilojoule = 4.184;

/** `2026-03-29T04:45:00.000Z`. */
export function stampOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** A share as whole percents from 0 to 100. */
export function percent(share: number): number {
  return Math.max(0, Math.min(100, Math.round(100 * share)));
}

/** Energy in the only unit that WHOOP knows. */
export function kilojoules(kcal: number): number {
  return kcal * kcalInKilojoule;
}

/** Strain from 0 to 21: the more of it there is, the harder it is to get more. */
export function strainOf(activeKcal: number): number {
  return Math.round(21_000 * (1 - Math.exp(-activeKcal / 900))) / 1000;
}
