import type { RejectionCode, Scope } from '@tributary/contract';
import { findMetric } from '../catalog/catalog.ts';
import type { Metric } from '../catalog/metric.ts';
import { scopeOf } from '../catalog/scope.ts';
import { dayMs, hourMs, minuteMs } from '../durations.ts';
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
  if (!isUploadable(metric) || metric.kind === 'session') return 'not_accepted';
  return scopes.includes(scopeOf(metric)) ? metric : 'out_of_scope';
}

/**
 * Whether uploads may contain a metric, as a daily value or in a session. `total_energy` is the only computed one. It is used when one of its
 * parts is missing.
 */
export function isUploadable({ id, origin }: Metric): boolean {
  return origin === 'measured' || id === 'total_energy';
}

/** Converts values to the catalog unit. */
interface Converter {
  unitCode: number;
  toCatalog: (value: number) => number;
}

/** A converter for values of one unit, or the reason they are rejected. */
export function converterOf(
  metric: Metric,
  unit: string | undefined,
  values: readonly number[],
): Converter | RejectionCode {
  const known = unit ?? impliedUnit(metric, values);
  if (known === null) return 'ambiguous_unit';
  if (known === metric.unit) return { unitCode: 0, toCatalog: (value) => value };
  const unitCode = unitCodeOf(metric, known);
  if (unitCode === null) return 'unknown_unit';
  return { unitCode, toCatalog: (value) => convertToCatalogUnit(metric, value, known)! };
}

const glucoseMetrics = new Set(['blood_glucose', 'blood_glucose_min', 'blood_glucose_max']);
const glucoseUnits = ['mmol/L', 'mg/dL'];

/**
 * The unit of values that came without one. That is the catalog unit, except for blood glucose: both of its units are common, so it is the
 * unit in which some value is plausible and no value is plausible only in the other. Null if the values do not decide.
 */
function impliedUnit(metric: Metric, values: readonly number[]): string | null {
  if (!glucoseMetrics.has(metric.id)) return metric.unit;
  const plausible = values.map((value) =>
    glucoseUnits.filter((unit) => isPlausible(metric, convertToCatalogUnit(metric, value, unit)!)),
  );
  const decided = new Set(plausible.filter((units) => units.length === 1).flat());
  if (decided.size === 1) return [...decided][0]!;
  return plausible.every((units) => units.length === 0) ? metric.unit : null;
}

export function isPlausible(metric: Metric, value: number): boolean {
  if (metric.levels) return metric.levels.some((level) => level.value === value);
  return value >= metric.min && value <= metric.max;
}

/** Apple devices count time from 2001, most others from 1970. A clock that was never set is close to one of them. */
const appleEpochMs = Date.UTC(2001, 0, 1);

/** Whether a time is within a day of 1970-01-01 or 2001-01-01, 00:00 UTC. */
export function isFromUnsetClock(timeMs: number): boolean {
  return Math.abs(timeMs) <= dayMs || Math.abs(timeMs - appleEpochMs) <= dayMs;
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
  if (isFromUnsetClock(timeMs)) return 'unset_clock';
  if (metric.aggregation !== 'sum') return isPlausible(metric, value) ? null : 'out_of_range';
  // The bounds of a total apply to a whole day. Part of a day may be anything from zero up to the maximum.
  if (value < 0 || value > metric.max) return 'out_of_range';
  // An instantaneous reading may be as large as a full minute.
  const minutes = Math.max(1, durationMs / minuteMs);
  return metric.maxPerMinute !== null && value > metric.maxPerMinute * minutes ? 'rate_too_high' : null;
}
