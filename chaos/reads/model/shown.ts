import { findMetric } from '@tributary/domain';

export type Units = 'metric' | 'imperial';

/** Rounds half away from zero, by the decimal digits of the number. */
export function rounded(value: number, decimals: number): number {
  const text = String(Math.abs(value));
  if (text.includes('e-')) return 0;
  const size = Number(`${Math.round(Number(`${text}e${decimals}`))}e-${decimals}`);
  return value < 0 && size !== 0 ? -size : size;
}

/** A value in the catalog's unit as the API returns it. Missing values are null. */
export function shown(
  metricId: string,
  value: number | null | undefined,
  units: Units = 'metric',
): number | null {
  if (value === null || value === undefined) return null;
  const { precision, imperial } = findMetric(metricId)!;
  if (units === 'metric') return rounded(value, precision);
  return rounded(value * imperial.factor + imperial.offset, imperial.precision);
}

export function unitOf(metricId: string, units: Units): string {
  const { unit, imperial } = findMetric(metricId)!;
  return units === 'metric' ? unit : imperial.unit;
}
