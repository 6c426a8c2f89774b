import type { BatchWire, RejectionCode, Scope } from '@tributary/contract';
import { findMetric } from '../catalog/catalog.ts';
import type { Metric } from '../catalog/metric.ts';
import { scopeOf } from '../catalog/scope.ts';
import { parseDay, type DayNumber } from '../days.ts';
import type { Reported } from '../day/device-day.ts';
import { toMicros } from '../samples/micros.ts';
import { uuidBytes, type Owner } from '../samples/owner.ts';
import { convertToCatalogUnit, unitCodeOf } from '../units.ts';
import { Readings, type ChunkReadings } from './readings.ts';
import { Rejections } from './rejections.ts';
import { readSleep, type SleepReading } from './read-sleep.ts';
import { readWorkout, type WorkoutReading } from './read-workout.ts';
import { minutesOf } from './utc-offset.ts';

/** What is known of a batch besides its body. */
export interface BatchFacts {
  batchId: string;
  createdMs: number;
  receivedMs: number;
  scopes: readonly Scope[];
}

/** A total of a day that the device's platform gave. */
export interface DayReading extends Reported {
  metricNo: number;
  day: DayNumber;
}

/** Where a record with an id of its own put its value. */
export interface RecordSlot {
  id: string;
  metricNo: number;
  startMs: number;
}

/** A batch in the service's own terms: checked, in the catalog's units, cut into chunks. */
export interface ReadBatch {
  device: BatchWire['device'];
  stamp: Owner;
  samples: ChunkReadings[];
  records: RecordSlot[];
  totals: DayReading[];
  sleep: SleepReading[];
  workouts: WorkoutReading[];
  deletions: NonNullable<BatchWire['deletions']>;
  repeats: number;
  rejections: Rejections;
}

const earliestMs = 0;
/** How far ahead of ours a phone's clock may be. */
const futureMs = 24 * 3_600_000;
const longestReadingMs = 48 * 3_600_000;

/** Reads a batch whose shape was checked when it arrived. Pure: the same batch always gives the same result. */
export function readBatch(body: BatchWire, facts: BatchFacts): ReadBatch {
  const stamp: Owner = {
    createdMs: facts.createdMs,
    batchId: uuidBytes(facts.batchId),
    utcOffsetMinutes: null,
    unitCode: 0,
  };
  const rejections = new Rejections();
  const latestMs = facts.receivedMs + futureMs;
  const deletions = body.deletions ?? [];
  const deletedHere = new Set(deletions.filter(({ kind }) => kind === 'record').map(({ id }) => id));
  const byMetric = new Map<number, Readings>();
  const readingsOf = (metric: Metric) => {
    let readings = byMetric.get(metric.no);
    if (!readings) byMetric.set(metric.no, (readings = new Readings(metric.no)));
    return readings;
  };

  (body.series ?? []).forEach((series, index) => {
    const refuse = (code: RejectionCode, count: number, position?: number) =>
      rejections.add('series', index, code, count, position);
    const metric = acceptedMetric(series.metric, facts.scopes);
    const { values, interval_seconds: interval, offsets_seconds: offsets } = series;
    if (typeof metric === 'string') return refuse(metric, values.length);
    const convert = converterOf(metric, series.unit);
    if (!convert) return refuse('unknown_unit', values.length);
    const placed = offsets ? offsets.length === values.length : interval !== undefined || values.length === 1;
    if (!placed) return refuse('invalid_series', values.length);

    const startMs = Date.parse(series.start);
    const stepMs = (interval ?? 0) * 1000;
    const durationMs = metric.aggregation === 'sum' || stepMs > 60_000 ? Math.round(stepMs) : 0;
    const readings = readingsOf(metric);
    const owner = readings.ownerIndex({
      ...stamp,
      utcOffsetMinutes: minutesOf(series.utc_offset),
      unitCode: convert.unitCode,
    });
    for (let at = 0; at < values.length; at += 1) {
      const timeMs = Math.round(startMs + (offsets ? offsets[at]! * 1000 : at * stepMs));
      const value = convert.toCatalog(values[at]!);
      const problem = problemOf(metric, value, timeMs, durationMs, latestMs);
      if (problem) refuse(problem, 1, at);
      else readings.add(timeMs, toMicros(value), durationMs, owner);
    }
  });

  const records: RecordSlot[] = [];
  (body.records ?? []).forEach((record, index) => {
    const refuse = (code: RejectionCode) => rejections.add('records', index, code);
    const metric = acceptedMetric(record.metric, facts.scopes);
    if (typeof metric === 'string') return refuse(metric);
    const convert = converterOf(metric, record.unit);
    if (!convert) return refuse('unknown_unit');
    const startMs = Date.parse(record.start);
    const durationMs = record.end === undefined ? 0 : Date.parse(record.end) - startMs;
    const value = convert.toCatalog(record.value);
    const problem = problemOf(metric, value, startMs, durationMs, latestMs);
    if (problem) return refuse(problem);
    const readings = readingsOf(metric);
    const owner = readings.ownerIndex({
      ...stamp,
      utcOffsetMinutes: minutesOf(record.utc_offset),
      unitCode: convert.unitCode,
    });
    const deleted = record.id !== undefined && deletedHere.has(record.id);
    readings.add(startMs, deleted ? Number.NaN : toMicros(value), deleted ? 0 : durationMs, owner);
    if (record.id !== undefined) records.push({ id: record.id, metricNo: metric.no, startMs });
  });

  const totals: DayReading[] = [];
  (body.daily ?? []).forEach((total, index) => {
    const refuse = (code: RejectionCode) => rejections.add('daily', index, code);
    const metric = acceptedMetric(total.metric, facts.scopes);
    if (typeof metric === 'string') return refuse(metric);
    const convert = converterOf(metric, total.unit);
    if (!convert) return refuse('unknown_unit');
    const day = parseDay(total.date);
    // A date has begun somewhere on earth fourteen hours before it begins in UTC.
    if (day === null || day < 0 || day * 86_400_000 > latestMs + 14 * 3_600_000)
      return refuse('invalid_time');
    const value = convert.toCatalog(total.value);
    if (!isPlausible(metric, value)) return refuse('out_of_range');
    totals.push({
      metricNo: metric.no,
      day,
      micros: toMicros(value),
      owner: { ...stamp, unitCode: convert.unitCode },
    });
  });

  const bounds = { earliestMs, latestMs, scopes: facts.scopes };
  const sleep = (body.sleep ?? []).flatMap(
    (session, index) => readSleep(session, index, bounds, rejections) ?? [],
  );
  const workouts = (body.workouts ?? []).flatMap(
    (workout, index) => readWorkout(workout, index, bounds, rejections) ?? [],
  );

  const cut = [...byMetric.values()].map((readings) => readings.cut());
  return {
    device: body.device,
    stamp,
    samples: cut.flatMap(({ chunks }) => chunks),
    records,
    totals,
    sleep,
    workouts,
    deletions,
    repeats: cut.reduce((sum, { repeats }) => sum + repeats, 0),
    rejections,
  };
}

/** The number of values in an upload, which is bounded. */
export function countValues(body: BatchWire): number {
  const inSeries = (body.series ?? []).reduce((sum, { values }) => sum + values.length, 0);
  const inTraces = (body.workouts ?? []).reduce(
    (sum, { heart_rate }) => sum + (heart_rate?.values.length ?? 0),
    0,
  );
  const inStages = (body.sleep ?? []).reduce((sum, { stages }) => sum + (stages?.length ?? 0), 0);
  const lists = [body.records, body.daily, body.sleep, body.workouts, body.deletions];
  return lists.reduce((sum, list) => sum + (list?.length ?? 0), inSeries + inTraces + inStages);
}

function acceptedMetric(id: string, scopes: readonly Scope[]): Metric | RejectionCode {
  const metric = findMetric(id);
  if (!metric) return 'unknown_metric';
  // A source's own total of energy is the one computed metric that is also taken: it serves when its parts are missing.
  const accepted =
    (metric.origin === 'measured' && metric.kind !== 'session') || metric.id === 'total_energy';
  if (!accepted) return 'not_accepted';
  return scopes.includes(scopeOf(metric)) ? metric : 'out_of_scope';
}

function converterOf(metric: Metric, unit: string | undefined) {
  if (unit === undefined || unit === metric.unit) return { unitCode: 0, toCatalog: (value: number) => value };
  const unitCode = unitCodeOf(metric, unit);
  if (unitCode === null) return null;
  return { unitCode, toCatalog: (value: number) => convertToCatalogUnit(metric, value, unit)! };
}

function isPlausible(metric: Metric, value: number): boolean {
  return value >= metric.min && value <= metric.max;
}

function problemOf(
  metric: Metric,
  value: number,
  timeMs: number,
  durationMs: number,
  latestMs: number,
): RejectionCode | null {
  if (!(timeMs >= earliestMs && timeMs <= latestMs && durationMs >= 0 && durationMs <= longestReadingMs))
    return 'invalid_time';
  // The bounds of a total hold for a day; a part of it may be anything from nothing up to them.
  if (metric.aggregation === 'sum' ? value < 0 || value > metric.max : !isPlausible(metric, value))
    return 'out_of_range';
  // A moment may stand for as much as a minute.
  const minutes = Math.max(1, durationMs / 60_000);
  if (metric.aggregation === 'sum' && metric.maxPerMinute !== null && value > metric.maxPerMinute * minutes)
    return 'rate_too_high';
  return null;
}
