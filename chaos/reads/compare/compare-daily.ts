import { convertFromCatalogUnit, findMetric, unitOfCode } from '@tributary/domain';
import { dailyMetrics, type UserModel } from '../model/user-model.ts';
import type { ModelDevice } from '../model/normalized.ts';
import { rounded, shown, unitOf, type Units } from '../model/shown.ts';
import type { TestUser, World } from '../world.ts';
import { isClose, type Comparison } from './differences.ts';

interface SourceWire {
  provider: string;
  device_id: string;
  original_value: number | null;
  original_unit: string | null;
  coverage: number | null;
}

interface RowWire {
  date: string;
  metric: string;
  value: number | null;
  unit: string;
  source: SourceWire | null;
  contributors?: SourceWire[];
}

/** Compares daily values in both forms and both unit systems, and the source of each value. */
export async function compareDaily(
  world: World,
  who: TestUser,
  model: UserModel,
  dates: readonly string[],
  comparison: Comparison,
): Promise<void> {
  const days = `from_date=${dates[0]}&to_date=${dates.at(-1)}`;
  for (const units of ['metric', 'imperial'] as const) {
    const read = `daily, Form 2, ${units}`;
    const plain = await world.get(who, `daily?${days}&unit_system=${units}`);
    compareColumns(read, model, dates, plain, units, comparison);
  }
  const read2 = 'daily, Form 2, with sources';
  const columns = await world.get(who, `daily?${days}&include_sources=true`);
  compareColumns(read2, model, dates, columns, 'metric', comparison);
  for (const metric of dailyMetrics[2])
    dates.forEach((date, at) => {
      const source = columns.sources[metric]?.[at] ?? null;
      const contributors = columns.contributors[metric]?.[at] ?? undefined;
      compareSources(read2, model, date, metric, { source, contributors }, comparison);
    });

  const query = `start_date=${dates[0]}&end_date=${dates.at(-1)}&include_sources=true`;
  const rows: RowWire[] = (await world.get(who, `daily?${query}`)).data;
  const read = 'daily, Form 1';
  const names = [...dailyMetrics[1]].sort();
  const expected = dates.flatMap((date) =>
    names.flatMap((metric) => {
      const value = valueAt(model, date, metric, 'metric');
      return value === null ? [] : [{ date, metric, value }];
    }),
  );
  comparison.same(read, 'number of rows', expected.length, rows.length);
  expected.forEach(({ date, metric, value }, at) => {
    const row = rows[at];
    const unit = unitOf(metric, 'metric');
    const actual = row && { date: row.date, metric: row.metric, value: row.value, unit: row.unit };
    comparison.same(read, `${date} ${metric}`, { date, metric, value, unit }, actual);
    if (row) compareSources(read, model, date, metric, row, comparison);
  });
}

interface ColumnsWire {
  dates: string[];
  series: Record<string, (number | null)[]>;
  units: Record<string, string>;
}

function compareColumns(
  read: string,
  model: UserModel,
  dates: readonly string[],
  columns: ColumnsWire,
  units: Units,
  comparison: Comparison,
): void {
  comparison.same(read, 'dates', dates, columns.dates);
  comparison.same(read, 'metrics', dailyMetrics[2], Object.keys(columns.series));
  for (const metric of dailyMetrics[2]) {
    comparison.same(read, `unit of ${metric}`, unitOf(metric, units), columns.units[metric]);
    dates.forEach((date, at) =>
      comparison.same(
        read,
        `${date} ${metric}`,
        valueAt(model, date, metric, units),
        columns.series[metric]?.[at],
      ),
    );
  }
}

function valueAt({ canonicalValues }: UserModel, date: string, metric: string, units: Units): number | null {
  const canonicalValue = canonicalValues.get(`${date} ${metric}`);
  return shown(metric, canonicalValue && canonicalValue.micros / 1e6, units);
}

function compareSources(
  read: string,
  model: UserModel,
  date: string,
  metric: string,
  actual: Pick<RowWire, 'source' | 'contributors'>,
  comparison: Comparison,
): void {
  const canonicalValue = model.canonicalValues.get(`${date} ${metric}`);
  const expectedSource = (device: ModelDevice, actualSource: SourceWire | undefined) =>
    sourceOf(model, device, date, metric, actualSource);
  const source = canonicalValue?.source
    ? expectedSource(canonicalValue.source, actual.source ?? undefined)
    : null;
  const contributors =
    canonicalValue?.contributors.map((device, at) => expectedSource(device, actual.contributors?.[at])) ?? [];
  const at = `${date} ${metric} source`;
  comparison.same(
    read,
    at,
    { source, contributors },
    { source: actual.source, contributors: actual.contributors ?? [] },
  );
}

/** A device's reported value. Values that agree within the stored precision count as equal. */
function sourceOf(
  { readings, coverageOf }: UserModel,
  device: ModelDevice,
  date: string,
  metricId: string,
  actual: SourceWire | undefined,
): SourceWire {
  const reading = readings.get(device)!.get(`${date} ${metricId}`);
  const named = { provider: device.provider, device_id: device.id };
  if (!reading) return { ...named, original_value: null, original_unit: null, coverage: null };
  const metric = findMetric(metricId)!;
  const unit = unitOfCode(metric, reading.unitCode);
  const value = convertFromCatalogUnit(metric, reading.micros / 1e6, unit)!;
  const isSame = actual !== undefined && isClose(value, actual.original_value);
  const coverage = reading.from === 'sessions' ? null : rounded(coverageOf(device, date, metricId), 3);
  return {
    ...named,
    original_value: isSame ? actual.original_value : value,
    original_unit: unit,
    coverage,
  };
}
