import type { ScopeWord } from '../policy.ts';

/** How a type records time: an interval, a sample, a date, or a session with an id. */
type Shape = 'interval' | 'sample' | 'daily' | 'session';

export interface DataType {
  name: string;
  /** The field that contains its values. */
  key: string;
  /** Its name in filters. */
  filterName: string;
  shape: Shape;
  scope: ScopeWord;
  isPushed: boolean;
  /** False for types that are only available as rollups. */
  isListed: boolean;
  pageSize: { default: number; most: number };
}

const activity = 'activity_and_fitness';
const metrics = 'health_metrics_and_measurements';

const types = [
  ...make(activity, 'interval', ['steps', 'distance', 'floors', 'altitude', 'active-zone-minutes']),
  ...make(activity, 'interval', ['active-energy-burned', 'basal-energy-burned', 'active-minutes'], {
    isPushed: false,
  }),
  ...make(activity, 'interval', ['total-calories'], { isListed: false }),
  ...make(activity, 'sample', ['run-vo2-max']),
  ...make(activity, 'sample', ['vo2-max'], { isPushed: false }),
  ...make(activity, 'daily', ['daily-vo2-max'], { isPushed: false }),
  ...make(activity, 'session', ['exercise']),
  ...make('sleep', 'session', ['sleep']),
  ...make(metrics, 'sample', ['heart-rate', 'heart-rate-variability', 'respiratory-rate-sleep-summary']),
  ...make(metrics, 'sample', ['weight', 'body-fat', 'height', 'blood-glucose']),
  ...make(metrics, 'sample', ['oxygen-saturation', 'core-body-temperature'], { isPushed: false }),
  ...make(metrics, 'daily', [
    'daily-resting-heart-rate',
    'daily-heart-rate-variability',
    'daily-oxygen-saturation',
    'daily-respiratory-rate',
    'daily-sleep-temperature-derivations',
  ]),
];

/** Every data type that the lab simulates, by name. */
export const dataTypes: ReadonlyMap<string, DataType> = new Map(types.map((type) => [type.name, type]));

function make(
  scope: ScopeWord,
  shape: Shape,
  names: string[],
  { isPushed = true, isListed = true } = {},
): DataType[] {
  const pageSize = shape === 'session' ? { default: 25, most: 25 } : { default: 1440, most: 10_000 };
  return names.map((name) => ({
    name,
    key: name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    filterName: name.replaceAll('-', '_'),
    shape,
    scope,
    isPushed,
    isListed,
    pageSize,
  }));
}
