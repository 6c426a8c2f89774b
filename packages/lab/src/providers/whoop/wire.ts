const kcalInKilojoule = 4.184;

/** `2026-03-29T04:45:00.000Z`. */
export function stampOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** A share as a whole percentage from 0 to 100. */
export function percent(share: number): number {
  return Math.max(0, Math.min(100, Math.round(100 * share)));
}

/** Energy in kilojoules, the only unit that WHOOP uses. */
export function kilojoules(kcal: number): number {
  return kcal * kcalInKilojoule;
}

/** Strain from 0 to 21. Each additional point takes more effort. */
export function strainOf(activeKcal: number): number {
  return Math.round(21_000 * (1 - Math.exp(-activeKcal / 900))) / 1000;
}
