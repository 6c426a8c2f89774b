import type { LatestScoreWire, MissingReason } from '@tributary/contract';
import { formatDay, type DayRange, type Metric } from '@tributary/domain';
import type { DailyValues } from '../../services/daily/read-daily.ts';
import { printColumns, printReason } from './daily-text.ts';

// Scores are stored next to daily values, already printed.

/** The body of Form 2: columns as for daily values, and the latest value of each score. */
export function printScoreColumns(
  metrics: readonly Metric[],
  daily: DailyValues,
  includeSources: boolean,
): string {
  const values = daily.values.map((column) => column.split(','));
  const latest = metrics.map(({ id }, at) => [id, latestOf(values[at]!, daily.range)]);
  const sources = metrics.map(({ id }, at) => [id, values[at]!.map(() => null)]);
  const added = {
    latest: Object.fromEntries(latest),
    ...(includeSources ? { sources: Object.fromEntries(sources) } : {}),
  };
  return `${printColumns(metrics, daily, 'metric').slice(0, -1)},${JSON.stringify(added).slice(1)}`;
}

/** The last value of the range; null when there is none. */
function latestOf(values: readonly string[], { from }: DayRange): LatestScoreWire | null {
  const at = values.findLastIndex((value) => value !== 'null');
  if (at < 0) return null;
  const before = values[at - 1] ?? 'null';
  return {
    date: formatDay(from + at),
    value: Number(values[at]),
    previous_value: before === 'null' ? null : Number(before),
  };
}

/** The body of the history: by date, then by score. Missing values have rows only if their reasons are given. */
export function printScoreHistory(
  metrics: readonly Metric[],
  { range, values }: DailyValues,
  reasons: (MissingReason | null)[][] | null,
): string {
  const columns = metrics
    .map(({ id }, at) => ({ id, values: values[at]!.split(','), reasons: reasons?.[at] }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const rows: string[] = [];
  for (let day = range.from; day <= range.to; day += 1) {
    const at = day - range.from;
    for (const column of columns) {
      const value = column.values[at]!;
      if (value === 'null' && !column.reasons) continue;
      const reason = printReason(column.reasons?.[at]);
      rows.push(`{"date":"${formatDay(day)}","type":"${column.id}","value":${value}${reason}}`);
    }
  }
  return `{"data":[${rows.join(',')}]}`;
}
