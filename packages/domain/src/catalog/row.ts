import type { Aggregation, Level, Method, MetricKind, Origin } from './metric.ts';
import type { UnitLabel } from './unit-labels.ts';

/** A default method and the methods that a user may choose. */
export interface MethodChoice {
  readonly preset: Method;
  readonly allowed: readonly Method[];
}

/**
 * Amounts of which several devices may each have a part. The default has the smallest error against known truth (`npm run bench:truth`): the
 * maximum is biased upward, and merging providers counts twice what they report at different times.
 */
export const counted: MethodChoice = {
  preset: 'priority',
  allowed: ['priority', 'merge', 'max', 'avg', 'sum'],
};
/** Time or energy that accrues all day, so values of several devices must not be added up. */
export const runsAllDay: MethodChoice = { preset: 'priority', allowed: ['priority', 'merge', 'max', 'avg'] };
export const peakOrMean: MethodChoice = { preset: 'priority', allowed: ['priority', 'max', 'avg'] };
export const mean: MethodChoice = { preset: 'priority', allowed: ['priority', 'avg'] };
/** Values logged by hand, possibly in several apps. */
export const logged: MethodChoice = { preset: 'priority', allowed: ['priority', 'max', 'sum'] };
export const asReported: MethodChoice = { preset: 'priority', allowed: ['priority'] };

/** Properties that differ between metrics. Omitted if they have the default. */
interface Options {
  readonly by?: MethodChoice;
  /** Members of a group share its methods. */
  readonly group?: string;
  readonly perMinute?: number;
  readonly decimals?: number;
  /** All values that a metric in codes may have. */
  readonly levels?: readonly Level[];
  readonly imperialDecimals?: number;
  /** A unit other than the default, or null if the field name implies the unit. */
  readonly imperial?: { readonly unit: string; readonly factor: number; readonly offset: number } | null;
  readonly derived?: true;
  readonly aggregation?: Aggregation;
}

export interface Row extends Omit<Options, 'derived'> {
  readonly no: number;
  readonly id: string;
  readonly name: string;
  readonly unit: UnitLabel;
  readonly range: readonly [min: number, max: number];
  readonly kind: MetricKind;
  readonly aggregation: Aggregation;
  readonly origin: Origin;
}

type RowBuilder = (
  no: number,
  id: string,
  name: string,
  unit: UnitLabel,
  range: readonly [min: number, max: number],
  options?: Options,
) => Row;

function rowsOf(kind: MetricKind, usual: Aggregation): RowBuilder {
  return (no, id, name, unit, range, { derived, aggregation = usual, ...options } = {}) => {
    const origin = kind === 'score' ? 'score' : derived ? 'derived' : 'measured';
    return { ...options, no, id, name, unit, range, kind, aggregation, origin };
  };
}

export const total = rowsOf('daily_total', 'sum');
export const average = rowsOf('daily_average', 'avg');
export const lowest = rowsOf('daily_min', 'min');
export const highest = rowsOf('daily_max', 'max');
export const latest = rowsOf('latest', 'last');
export const session = rowsOf('session', 'avg');
export const score = rowsOf('score', 'last');
