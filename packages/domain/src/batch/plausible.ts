import type { RejectionCode, Scope } from '@tributary/contract';
import { findMetric } from '../catalog/catalog.ts';
import type { Metric } from '../catalog/metric.ts';
import { scopeOf } from '../catalog/scope.ts';
import { hourMs, minuteMs } from '../durations.ts';
import { convertToCatalogUnit, unitCodeOf } from '../units.ts';

/** The time range that data may lie in, and the scopes of the SDK session. */
export interface ReadingBounds {
  earliestMs: number;
  latestMs: number;
  scopes: readonly Scope[];
}

const longestReadingMs = 48 * hourMs;

/** A metric that may be uploaded as readings or totals, or the reason it is rejected. */
export function acceptedMetric(id: string, scopes: readonly Scope[]): Metric | RejectionCode {
  const metric = findMetric(id);
  if (!metric) return 'unknown_metric';
  // `total_energy` is the only computed metric that uploads may contain. It is used when one of its parts is missing.
  const accepted =
    (metric.origin === 'measured' && metric.kind !== 'session') || metric.id === 'total_energy';
  if (!accepted) return 'not_accepted';
  return scopes.includes(scopeOf(metric)) ? metric : 'out_of_scope';
}

/** Converts values from `unit` to the catalog unit. Null if the unit cannot be converted. */
export function converterOf(
  metric: Metric,
  unit: string | undefined,
): { unitCode: number; toCatalog: (value: number) => number } | null {
  if (unit === undefined || unit === metric.unit) return { unitCode: 0, toCatalog: (value) => value };
  const unitCode = unitCodeOf(metric, unit);
  if (unitCode === null) return null;
  return { unitCode, toCatalog: (value) => convertToCatalogUnit(metric, value, unit)! };
}

export function isPlausible(metric: Metric, value: number): boolean {
  return value >= metric.min && value <= metric.max;
}

/** The reason to reject a reading. Null if it is valid. */
export function problemOf(
  metric: Metric,
  value: number,
  timeMs: number,
  durationMs: number,
  bounds: ReadingBounds,
): RejectionCode | null {
  const timely =
    timeMs >= bounds.earliestMs &&
    timeMs <= bounds.latestMs &&
    durationMs >= 0 &&
    durationMs <= longestReadingMs;
  if (!timely) return 'invalid_time';
  if (metric.aggregation !== 'sum') return isPlausible(metric, value) ? null : 'out_of_range';
  // The bounds of a total apply to a whole day. Part of a day may be anything from zero up to the maximum.
  if (value < 0 || value > metric.max) return 'out_of_range';
  // An instantaneous reading may be as large as a full minute.
  const minutes = Math.max(1, durationMs / minuteMs);
  return metric.maxPerMinute !== null && value > metric.maxPerMinute * minutes ? 'rate_too_high' : null;
}
