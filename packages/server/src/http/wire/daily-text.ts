import type { MissingReason, SourceWire } from '@tributary/contract';
import { formatDay, type DayNumber, type DayRange, type Metric } from '@tributary/domain';
import { formatId } from '../../ids.ts';
import type { DailyValues } from '../../services/daily/read-daily.ts';
import { shownUnit, type UnitSystem } from '../../services/daily/read-exact-daily.ts';
import type { DaySource, SourcedDailyValues, ValueSource } from '../../services/daily/read-sourced-daily.ts';

// Daily bodies are assembled as text: values are already printed, and names are known in advance.

/** The body of Form 2. */
export function printColumns(
  metrics: readonly Metric[],
  { range, values }: DailyValues,
  units: UnitSystem,
): string {
  let series = '';
  let shown = '';
  for (const [at, metric] of metrics.entries()) {
    const separator = at === 0 ? '' : ',';
    series += `${separator}"${metric.id}":[${values[at]!}]`;
    shown += `${separator}"${metric.id}":${quotedUnit(metric, units)}`;
  }
  return `{"from_date":"${formatDay(range.from)}","to_date":"${formatDay(range.to)}","dates":[${quotedDates(range)}],"series":{${series}},"units":{${shown}}}`;
}

/** The fields that Form 2 adds for sources and reasons. */
export function printColumnsWith(
  metrics: readonly Metric[],
  daily: SourcedDailyValues,
  units: UnitSystem,
  include: { sources: boolean; reasons: boolean },
): string {
  const added: Record<string, unknown> = {};
  if (include.sources) {
    added['sources'] = byMetric(metrics, daily.sources, (ofDays) =>
      ofDays.map((day) => (day?.source ? toSourceWire(day.source) : null)),
    );
    const several = metrics.map((_, at) =>
      daily.sources[at]!.some((day) => day && day.contributors.length > 0),
    );
    added['contributors'] = byMetric(
      metrics.filter((_, at) => several[at]),
      daily.sources.filter((_, at) => several[at]),
      (ofDays) => ofDays.map((day) => contributorsOf(day) ?? null),
    );
  }
  if (include.reasons) added['reasons'] = byMetric(metrics, daily.reasons, (ofDays) => ofDays);
  return `${printColumns(metrics, daily, units).slice(0, -1)},${JSON.stringify(added).slice(1)}`;
}

/** The body of Form 1: by date, then by metric. Missing values have rows only if their reasons are given. */
export function printRows(
  metrics: readonly Metric[],
  { range, values }: DailyValues,
  units: UnitSystem,
  include: { sources: (DaySource | null)[][] | null; reasons: (MissingReason | null)[][] | null },
): string {
  const columns = metrics
    .map((metric, at) => ({
      id: metric.id,
      values: values[at]!.split(','),
      start: `","metric":"${metric.id}","value":`,
      end: `,"unit":${quotedUnit(metric, units)}`,
      sources: include.sources?.[at],
      reasons: include.reasons?.[at],
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  let rows = '';
  for (let day = range.from; day <= range.to; day += 1) {
    const date = `{"date":"${formatDay(day)}`;
    const at = day - range.from;
    for (const column of columns) {
      const value = column.values[at]!;
      if (value === 'null' && !column.reasons) continue;
      const source = column.sources ? printSource(column.sources[at]!) : '';
      const reason = printReason(column.reasons?.[at]);
      rows += `${rows === '' ? '' : ','}${date}${column.start}${value}${column.end}${reason}${source}}`;
    }
  }
  return `{"data":[${rows}]}`;
}

/** The reason of a row without a value; empty for a row with one. */
export function printReason(reason: MissingReason | null | undefined): string {
  return reason ? `,"reason":"${reason}"` : '';
}

function printSource(day: DaySource | null): string {
  const contributors = contributorsOf(day);
  const source = `,"source":${JSON.stringify(day?.source ? toSourceWire(day.source) : null)}`;
  return contributors ? `${source},"contributors":${JSON.stringify(contributors)}` : source;
}

function contributorsOf(day: DaySource | null): SourceWire[] | undefined {
  return day && day.contributors.length > 0 ? day.contributors.map(toSourceWire) : undefined;
}

export function toSourceWire({
  provider,
  deviceId,
  originalValue,
  originalUnit,
  coverage,
}: ValueSource): SourceWire {
  return {
    provider,
    device_id: formatId('dev', deviceId),
    original_value: originalValue,
    original_unit: originalUnit,
    ...(coverage === undefined ? {} : { coverage }),
  };
}

function byMetric<Value, Wire>(
  metrics: readonly Metric[],
  values: readonly Value[],
  toWire: (value: Value) => Wire,
): Record<string, Wire> {
  return Object.fromEntries(metrics.map(({ id }, at) => [id, toWire(values[at]!)]));
}

const quotedUnits = { metric: new Map<number, string>(), imperial: new Map<number, string>() };

function quotedUnit(metric: Metric, units: UnitSystem): string {
  let quoted = quotedUnits[units].get(metric.no);
  if (quoted === undefined) {
    quoted = JSON.stringify(shownUnit(metric, units));
    quotedUnits[units].set(metric.no, quoted);
  }
  return quoted;
}

const recentDates = new Map<number, string>();
const mostRecentDates = 1000;

/** Cached because most clients request the same days: up to today. */
function quotedDates({ from, to }: DayRange): string {
  const key = from * 1000 + (to - from);
  let quoted = recentDates.get(key);
  if (quoted === undefined) {
    const dates: string[] = [];
    for (let day: DayNumber = from; day <= to; day += 1) dates.push(`"${formatDay(day)}"`);
    quoted = dates.join(',');
    if (recentDates.size >= mostRecentDates) recentDates.clear();
    recentDates.set(key, quoted);
  }
  return quoted;
}
