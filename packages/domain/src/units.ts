import type { Metric } from './catalog/metric.ts';
import { findUnit } from './units/find-unit.ts';
import { unitNumbers } from './units/numbers.ts';

export { roundTo } from './round.ts';

const labels = new Map(Object.entries(unitNumbers).map(([label, number]) => [number, label]));

/** Converts a value from `unit` to the catalog unit. Null if `unit` is not valid for this metric. */
export function convertToCatalogUnit(metric: Metric, value: number, unit: string): number | null {
  const known = findUnit(metric, unit);
  if (known === null) return null;
  const { times, over, zero } = known.conversion;
  return ((value - zero) * times) / over;
}

/** The inverse: converts a value from the catalog unit to `unit`. */
export function convertFromCatalogUnit(metric: Metric, value: number, unit: string): number | null {
  const known = findUnit(metric, unit);
  if (known === null) return null;
  const { times, over, zero } = known.conversion;
  return (value * over) / times + zero;
}

/** Converts a catalog value to the imperial unit, without rounding. */
export function toImperial(metric: Metric, value: number): number {
  return value * metric.imperial.factor + metric.imperial.offset;
}

/** A small number that represents `unit` in storage: 0 for the catalog unit, null for an unknown unit. */
export function unitCodeOf(metric: Metric, unit: string): number | null {
  const known = findUnit(metric, unit);
  if (known === null) return null;
  return known.label === metric.unit ? 0 : (unitNumbers[known.label] ?? null);
}

/** The display name of the unit for a number from `unitCodeOf`. */
export function unitOfCode(metric: Metric, code: number): string {
  if (code === 0) return metric.unit;
  const label = labels.get(code);
  if (label === undefined || findUnit(metric, label)?.label !== label) {
    throw new Error(`unknown unit number ${code} for metric ${metric.id}`);
  }
  return label;
}
