import type { BatchWire, RejectionCode, Scope } from '@tributary/contract';
import type { Metric } from '../catalog/metric.ts';
import type { Reported } from '../day/device-day.ts';
import { parseDay, type DayNumber } from '../days.ts';
import { dayMs, hourMs, minuteMs } from '../durations.ts';
import { toMicros } from '../samples/micros.ts';
import { uuidBytes, type Owner } from '../samples/owner.ts';
import { acceptedMetric, converterOf, isPlausible, problemOf, type ReadingBounds } from './plausible.ts';
import { readSleep, type SleepReading } from './read-sleep.ts';
import { readWorkout, type WorkoutReading } from './read-workout.ts';
import { Readings, type ChunkReadings } from './readings.ts';
import { Rejections } from './rejections.ts';
import { minutesOf } from './utc-offset.ts';

/** Data of one device, from an upload or from a cloud provider. */
export type BatchBody = Omit<BatchWire, 'batch_id' | 'device'> & {
  device: Omit<BatchWire['device'], 'provider'> & { provider: string };
};

/** Facts about a batch that are not in its body. */
export interface BatchFacts {
  batchId: string;
  createdMs: number;
  receivedMs: number;
  scopes: readonly Scope[];
}

/** A daily total that the device's platform reported. */
interface DayReading extends Reported {
  metricNo: number;
  day: DayNumber;
}

/** The metric and time of a record with an ID. */
interface RecordSlot {
  id: string;
  metricNo: number;
  startMs: number;
}

/** A validated batch: values are in catalog units and split into chunks. */
export interface ReadBatch {
  device: BatchBody['device'];
  samples: ChunkReadings[];
  records: RecordSlot[];
  totals: DayReading[];
  sleep: SleepReading[];
  workouts: WorkoutReading[];
  deletions: NonNullable<BatchWire['deletions']>;
  /** Number of readings that the same batch overrides later. */
  repeats: number;
  rejections: Rejections;
}

/** How far a phone's clock may be ahead of the server's. */
const futureMs = dayMs;
/** A date begins 14 hours earlier in the easternmost time zone than in UTC. */
const earliestDateMs = 14 * hourMs;

/** Reads a batch whose shape was validated on arrival. Pure: the same batch always gives the same result. */
export function readBatch(body: BatchBody, facts: BatchFacts): ReadBatch {
  const reader = new BatchReader(facts);
  body.series?.forEach((series, index) => reader.series(series, index));
  const deleted = new Set(body.deletions?.flatMap(({ kind, id }) => (kind === 'record' ? [id] : [])));
  body.records?.forEach((record, index) => reader.record(record, index, deleted));
  body.daily?.forEach((total, index) => reader.total(total, index));
  const { bounds, rejections } = reader;
  const sleep = body.sleep?.flatMap((session, index) => readSleep(session, index, bounds, rejections) ?? []);
  const workouts = body.workouts?.flatMap((one, index) => readWorkout(one, index, bounds, rejections) ?? []);
  return {
    device: body.device,
    ...reader.finish(),
    sleep: sleep ?? [],
    workouts: workouts ?? [],
    deletions: body.deletions ?? [],
    rejections,
  };
}

/** The number of values in an upload, which has a limit. */
export function countValues(body: BatchWire): number {
  const inSeries = (body.series ?? []).reduce((sum, { values }) => sum + values.length, 0);
  const inTraces = (body.workouts ?? []).reduce((sum, one) => sum + (one.heart_rate?.values.length ?? 0), 0);
  const inStages = (body.sleep ?? []).reduce((sum, { stages }) => sum + (stages?.length ?? 0), 0);
  const lists = [body.records, body.daily, body.sleep, body.workouts, body.deletions];
  return lists.reduce((sum, list) => sum + (list?.length ?? 0), inSeries + inTraces + inStages);
}

type Item<List extends 'series' | 'records' | 'daily'> = NonNullable<BatchWire[List]>[number];

/** Collects readings, totals and rejections. */
class BatchReader {
  readonly bounds: ReadingBounds;
  readonly rejections = new Rejections();
  readonly #stamp: Owner;
  readonly #byMetric = new Map<number, Readings>();
  readonly #records: RecordSlot[] = [];
  readonly #totals: DayReading[] = [];

  constructor({ batchId, createdMs, receivedMs, scopes }: BatchFacts) {
    this.bounds = { earliestMs: 0, latestMs: receivedMs + futureMs, scopes };
    this.#stamp = { createdMs, batchId: uuidBytes(batchId), utcOffsetMinutes: null, unitCode: 0 };
  }

  series(series: Item<'series'>, index: number): void {
    const { values, interval_seconds: interval, offsets_seconds: offsets } = series;
    const refuse = (code: RejectionCode, count: number, position?: number) =>
      this.rejections.add('series', index, code, count, position);
    const metric = acceptedMetric(series.metric, this.bounds.scopes);
    if (typeof metric === 'string') return refuse(metric, values.length);
    const convert = converterOf(metric, series.unit);
    if (!convert) return refuse('unknown_unit', values.length);
    const placed = offsets ? offsets.length === values.length : interval !== undefined || values.length === 1;
    if (!placed) return refuse('invalid_series', values.length);

    const startMs = Date.parse(series.start);
    const stepMs = (interval ?? 0) * 1000;
    // Counted values last for their interval. Measured values are instantaneous unless they are far apart.
    const durationMs = metric.aggregation === 'sum' || stepMs > minuteMs ? Math.round(stepMs) : 0;
    const readings = this.#readingsOf(metric);
    const owner = readings.ownerIndex(this.#owner(series.utc_offset, convert.unitCode));
    for (let at = 0; at < values.length; at += 1) {
      const timeMs = Math.round(startMs + (offsets ? offsets[at]! * 1000 : at * stepMs));
      const value = convert.toCatalog(values[at]!);
      const problem = problemOf(metric, value, timeMs, durationMs, this.bounds);
      if (problem) refuse(problem, 1, at);
      else readings.add(timeMs, toMicros(value), durationMs, owner);
    }
  }

  /** Stores a record as a deletion if the same batch deletes it. */
  record(record: Item<'records'>, index: number, deleted: ReadonlySet<string>): void {
    const refuse = (code: RejectionCode) => this.rejections.add('records', index, code);
    const metric = acceptedMetric(record.metric, this.bounds.scopes);
    if (typeof metric === 'string') return refuse(metric);
    const convert = converterOf(metric, record.unit);
    if (!convert) return refuse('unknown_unit');
    const startMs = Date.parse(record.start);
    const durationMs = record.end === undefined ? 0 : Date.parse(record.end) - startMs;
    const value = convert.toCatalog(record.value);
    const problem = problemOf(metric, value, startMs, durationMs, this.bounds);
    if (problem) return refuse(problem);
    const readings = this.#readingsOf(metric);
    const owner = readings.ownerIndex(this.#owner(record.utc_offset, convert.unitCode));
    if (record.id !== undefined) this.#records.push({ id: record.id, metricNo: metric.no, startMs });
    if (record.id !== undefined && deleted.has(record.id)) readings.add(startMs, Number.NaN, 0, owner);
    else readings.add(startMs, toMicros(value), durationMs, owner);
  }

  total(total: Item<'daily'>, index: number): void {
    const refuse = (code: RejectionCode) => this.rejections.add('daily', index, code);
    const metric = acceptedMetric(total.metric, this.bounds.scopes);
    if (typeof metric === 'string') return refuse(metric);
    const convert = converterOf(metric, total.unit);
    if (!convert) return refuse('unknown_unit');
    const day = parseDay(total.date);
    const timely = day !== null && day >= 0 && day * dayMs <= this.bounds.latestMs + earliestDateMs;
    if (!timely) return refuse('invalid_time');
    const value = convert.toCatalog(total.value);
    if (!isPlausible(metric, value)) return refuse('out_of_range');
    const owner = this.#owner(undefined, convert.unitCode);
    this.#totals.push({ metricNo: metric.no, day, micros: toMicros(value), owner });
  }

  finish(): Pick<ReadBatch, 'samples' | 'records' | 'totals' | 'repeats'> {
    const splitReadings = [...this.#byMetric.values()].map((readings) => readings.splitIntoChunks());
    return {
      samples: splitReadings.flatMap(({ chunks }) => chunks),
      records: this.#records,
      totals: this.#totals,
      repeats: splitReadings.reduce((sum, { repeats }) => sum + repeats, 0),
    };
  }

  #readingsOf(metric: Metric): Readings {
    let readings = this.#byMetric.get(metric.no);
    if (!readings) this.#byMetric.set(metric.no, (readings = new Readings(metric.no)));
    return readings;
  }

  #owner(utcOffset: string | undefined, unitCode: number): Owner {
    return { ...this.#stamp, utcOffsetMinutes: minutesOf(utcOffset), unitCode };
  }
}
