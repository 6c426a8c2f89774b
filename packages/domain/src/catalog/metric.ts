export const categories = [
  'Activity',
  'Energy',
  'Body Composition',
  'Sleep',
  'Vitals',
  'Nutrition',
  'Reproductive Health',
  'Scores',
] as const;
export type Category = (typeof categories)[number];

/** Methods that consolidate values from several devices, in the order of `allowedMethods`. */
export const methods = ['priority', 'merge', 'max', 'avg', 'sum'] as const;
export type Method = (typeof methods)[number];

export type MetricKind =
  | 'daily_total'
  | 'daily_average'
  | 'daily_min'
  | 'daily_max'
  | 'latest'
  | 'session'
  | 'score';

/** How samples from one device become its daily value. `avg` is weighted by time. */
export type Aggregation = 'sum' | 'avg' | 'min' | 'max' | 'last';

/** Where values come from: a device reports them, they are computed after consolidation, or they are one of the six scores. */
export type Origin = 'measured' | 'derived' | 'score';

/** `imperial = metric × factor + offset`. Factor 1 and offset 0 if the unit is not converted. */
export interface Imperial {
  readonly unit: string;
  readonly factor: number;
  readonly offset: number;
  readonly precision: number;
}

/** What a number of a metric in codes represents, and its number on the phone platforms. Null where a platform has no such level. */
export interface Level {
  readonly value: number;
  readonly name: string;
  readonly healthkit: number | null;
  readonly healthConnect: number | null;
}

/** One metric of the data catalog. */
export interface Metric {
  /** Stored instead of the ID. A number is never reused for another metric. */
  readonly no: number;
  readonly id: string;
  readonly displayName: string;
  readonly category: Category;
  readonly unit: string;
  readonly ucumUnit: string;
  readonly imperial: Imperial;
  readonly kind: MetricKind;
  readonly aggregation: Aggregation;
  /** Null for metrics that are derived after consolidation or belong to a session. */
  readonly defaultMethod: Method | null;
  readonly allowedMethods: readonly Method[];
  readonly group: string | null;
  readonly timeseries: boolean;
  readonly min: number;
  readonly max: number;
  /** The maximum amount per minute in a sample of an additive metric. */
  readonly maxPerMinute: number | null;
  readonly precision: number;
  /** The levels that values represent, lowest first. Null for measured amounts. */
  readonly levels: readonly Level[] | null;
  readonly loinc: string | null;
  readonly openMhealth: string | null;
  readonly healthkit: string | null;
  readonly healthConnect: string | null;
  readonly form1Surfaces: readonly string[];
  readonly form2Surfaces: readonly string[];
  readonly form2Field: string | null;
  readonly origin: Origin;
  readonly description: string;
}
