export const categories = [
  'Activity',
  'Energy',
  'Body Composition',
  'Sleep',
  'Vitals',
  'Nutrition',
  'Scores',
] as const;
export type Category = (typeof categories)[number];

/** Ways to make one value of what several devices report; the order is that of `allowedMethods`. */
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

/** How the samples of one device become its daily value; `avg` is weighted by time. */
export type Aggregation = 'sum' | 'avg' | 'min' | 'max' | 'last';

/** What data are: reported by a device, computed after consolidation, or one of the six scores. */
export type Origin = 'measured' | 'derived' | 'score';

/** `imperial = metric × factor + offset`; factor 1 and offset 0 where nothing converts. */
export interface Imperial {
  readonly unit: string;
  readonly factor: number;
  readonly offset: number;
  readonly precision: number;
}

/** One row of the data catalog. */
export interface Metric {
  /** Stored instead of the id; given once and never again to another metric. */
  readonly no: number;
  readonly id: string;
  readonly displayName: string;
  readonly category: Category;
  readonly unit: string;
  readonly ucumUnit: string;
  readonly imperial: Imperial;
  readonly kind: MetricKind;
  readonly aggregation: Aggregation;
  /** Null for what is derived after consolidation or belongs to a session. */
  readonly defaultMethod: Method | null;
  readonly allowedMethods: readonly Method[];
  readonly group: string | null;
  readonly timeseries: boolean;
  readonly min: number;
  readonly max: number;
  /** A sample of an additive metric may hold at most this much for each minute of its length. */
  readonly maxPerMinute: number | null;
  readonly precision: number;
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
