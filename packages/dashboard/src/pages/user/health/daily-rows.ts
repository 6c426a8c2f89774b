import type { CatalogMetricWire } from '@tributary/contract';
import type { DailyResponse } from '../../../api/health.ts';

export interface DailyValue {
  metric: CatalogMetricWire;
  unit: string;
  value: number | null;
  /** Why the value is missing. */
  reason: string | null;
  /** Difference from the mean of the previous days: relative, or absolute if a relative change is meaningless. */
  change: { by: number; of: 'share' | 'unit' } | null;
  /** Why there is no comparison. */
  changeReason: string;
  /** The previous days and the day itself. */
  history: (number | null)[];
  /** Providers of the value, by rank. */
  providers: string[];
}

/** The metrics that most people check first. */
export const mainMetrics: readonly string[] = [
  'steps',
  'active_calories',
  'resting_heart_rate',
  'heart_rate_variability_rmssd',
  'asleep',
  'sleep_efficiency',
  'blood_oxygen',
  'sleep_blood_oxygen',
  'sleep_respiratory_rate',
  'weight',
  'vo2_max',
];

const compared = 14;
const leastDays = 3;
/** Units whose zero is arbitrary, so that relative changes are meaningless. */
const noShare = new Set(['°C', '°F', 'score', 'index', '%']);
/** Sums that grow until midnight. Those of a night are final by the morning. */
const growing: ReadonlySet<string> = new Set(['Activity', 'Energy', 'Nutrition']);
const clocks = new Set(['bedtime', 'wake_time', 'sleep_midpoint']);

/** Values of one day by metric, in catalog order. Metrics without any data are omitted. */
export function dailyValues(
  response: DailyResponse,
  catalog: ReadonlyMap<string, CatalogMetricWire>,
  date: string,
  { isRunning }: { isRunning: boolean },
): DailyValue[] {
  const at = response.dates.indexOf(date);
  if (at < 0) return [];
  const first = Math.max(0, at - compared);
  return [...catalog.values()].flatMap((metric) => {
    const column = response.series[metric.id];
    const history = column?.slice(first, at + 1) ?? [];
    if (metric.origin === 'score' || history.every((value) => value === null)) return [];
    const value = history.at(-1) ?? null;
    return [
      {
        metric,
        unit: response.units[metric.id] ?? metric.unit,
        value,
        reason: response.reasons?.[metric.id]?.[at] ?? null,
        ...changeOf(metric, value, history.slice(0, -1), isRunning),
        history,
        providers: providersAt(response, metric.id, at),
      },
    ];
  });
}

function changeOf(
  { id, unit, kind, category }: CatalogMetricWire,
  value: number | null,
  before: readonly (number | null)[],
  isRunning: boolean,
): Pick<DailyValue, 'change' | 'changeReason'> {
  if (value === null) return { change: null, changeReason: 'No value to compare' };
  if (isRunning && kind === 'daily_total' && growing.has(category))
    return { change: null, changeReason: 'The day is not over, so its total is still growing' };
  const known = before.filter((one) => one !== null);
  if (known.length < leastDays)
    return {
      change: null,
      changeReason: `Fewer than ${leastDays} of the previous ${compared} days have a value`,
    };
  const mean = known.reduce((sum, one) => sum + one, 0) / known.length;
  if (noShare.has(unit) || clocks.has(id) || mean === 0)
    return { change: { by: value - mean, of: 'unit' }, changeReason: '' };
  return { change: { by: value / mean - 1, of: 'share' }, changeReason: '' };
}

function providersAt({ sources, contributors }: DailyResponse, metric: string, at: number): string[] {
  const several = contributors?.[metric]?.[at];
  if (several && several.length > 0) return [...new Set(several.map(({ provider }) => provider))];
  const source = sources?.[metric]?.[at];
  return source ? [source.provider] : [];
}

/** "+18%", "−0.3". */
export function formatChange({ by, of }: { by: number; of: 'share' | 'unit' }): string {
  const size = of === 'share' ? Math.round(Math.abs(by) * 100) : Math.round(Math.abs(by) * 10) / 10;
  const sign = size === 0 ? '' : by > 0 ? '+' : '−';
  return of === 'share' ? `${sign}${size}%` : `${sign}${size}`;
}
