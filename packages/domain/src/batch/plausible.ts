import type { RejectionCode, Scope } from '@tributary/contract';
import { findMetric } from '../catalog/catalog.ts';
import type { Metric } from '../catalog/metric.ts';
import { scopeOf } from '../catalog/scope.ts';
import { convertToCatalogUnit, unitCodeOf } from '../units.ts';

/** Between which instants data may lie, and what the session may send. */
export interface ReadingBounds {
  earliestMs: number;
  latestMs: number;
  scopes: readonly Scope[];
}

const longestReadingMs = 48 * 3_600_000;
const minuteMs = 60_000;

/** A metric that may be uploaded as readings or totals, or why it is refused. */
export function acceptedMetric(id: string, scopes: readonly Scope[]): Metric | RejectionCode {
  const metric = findMetric(id);
  if (!metric) return 'unknown_metric';
  // A source's own total of energy is the one computed metric that is also taken: it serves when its parts are missing.
  const accepted =
    (metric.origin === 'measured' && metric.kind !== 'session') || metric.id === 'total_energy';
  if (!accepted) return 'not_accepted';
  return scopes.includes(scopeOf(metric)) ? metric : 'out_of_scope';
}

/** How values of a unit become those of the catalog; null when they cannot. */
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

/** What is wrong with one reading; null when nothing is. */
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
  // The bounds of a total hold for a day; a part of it may be anything from nothing up to them.
  if (value < 0 || value > metric.max) return 'out_of_range';
  // A moment may stand for as much as a minute.
  const minutes = Math.max(1, durationMs / minuteMs);
  return metric.maxPerMinute !== null && value > metric.maxPerMinute * minutes ? 'rate_too_high' : null;
}
