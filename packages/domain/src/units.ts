import type { Metric } from './catalog/metric.ts';
import { findUnit } from './units/find-unit.ts';
import { unitNumbers } from './units/numbers.ts';

export { roundTo } from './round.ts';

const labels = new Map(Object.entries(unitNumbers).map(([label, number]) => [number, label]));

/** A value in `unit` as the catalog's unit; null when values of this metric cannot come in `unit`. */
export function convertToCatalogUnit(metric: Metric, value: number, unit: string): number | null {
  const known = findUnit(metric, unit);
  if (known === null) return null;
  const { times, over, zero } = known.conversion;
  return ((value - zero) * times) / over;
}

/** The inverse: a value of the catalog in `unit`. */
export function convertFromCatalogUnit(metric: Metric, value: number, unit: string): number | null {
  const known = findUnit(metric, unit);
  if (known === null) return null;
  const { times, over, zero } = known.conversion;
  return (value * over) / times + zero;
}

/** A value of the catalog in the unit shown under imperial, not rounded. */
export function toImperial(metric: Metric, value: number): number {
  return value * metric.imperial.factor + metric.imperial.offset;
}

/** A small number that stands for `unit` in storage: 0 for the catalog's own, null for an unknown one. */
export function unitCodeOf(metric: Metric, unit: string): number | null {
  const known = findUnit(metric, unit);
  if (known === null) return null;
  return known.label === metric.unit ? 0 : (unitNumbers[known.label] ?? null);
}

/** The unit behind a number of `unitCodeOf`, as it is printed. */
export function unitOfCode(metric: Metric, code: number): string {
  if (code === 0) return metric.unit;
  const label = labels.get(code);
  if (label === undefined || findUnit(metric, label)?.label !== label) {
    throw new Error(`${metric.id} has no unit with the number ${code}`);
  }
  return label;
}
