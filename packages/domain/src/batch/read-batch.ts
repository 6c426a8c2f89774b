import type { BatchWire, RejectionCode, Scope } from '@tributary/contract';
import type { Metric } from '../catalog/metric.ts';
import type { Reported } from '../day/device-day.ts';
import { parseDay, type DayNumber } from '../days.ts';
import { toMicros } from '../samples/micros.ts';
import { uuidBytes, type Owner } from '../samples/owner.ts';
import { acceptedMetric, converterOf, isPlausible, problemOf, type ReadingBounds } from './plausible.ts';
import { readSleep, type SleepReading } from './read-sleep.ts';
import { readWorkout, type WorkoutReading } from './read-workout.ts';
import { Readings, type ChunkReadings } from './readings.ts';
import { Rejections } from './rejections.ts';
import { minutesOf } from './utc-offset.ts';

/** What one device told, whether a phone uploaded it or a cloud provider was read. */
export type BatchBody = Omit<BatchWire, 'batch_id' | 'device'> & {
  device: Omit<BatchWire['device'], 'provider'> & { provider: string };
};

/** What is known of a batch besides its body. */
export interface BatchFacts {
  batchId: string;
  createdMs: number;
  receivedMs: number;
  scopes: readonly Scope[];
}

/** A total of a day that the device's platform gave. */
interface DayReading extends Reported {
  metricNo: number;
  day: DayNumber;
}

/** Where a record with an id of its own put its value. */
interface RecordSlot {
  id: string;
  metricNo: number;
  startMs: number;
}

/** A batch in the service's own terms: checked, in the catalog's units, cut into chunks. */
export interface ReadBatch {
  device: BatchBody['device'];
  samples: ChunkReadings[];
  records: RecordSlot[];
  totals: DayReading[];
  sleep: SleepReading[];
  workouts: WorkoutReading[];
  deletions: NonNullable<BatchWire['deletions']>;
  /** Readings of a moment that the batch itself names again later. */
  repeats: number;
  rejections: Rejections;
}

/** How far ahead of ours a phone's clock may be. */
const futureMs = 24 * 3_600_000;
/** A date has begun somewhere on earth fourteen hours before it begins in UTC. */
const earliestDateMs = 14 * 3_600_000;
const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Reads a batch whose shape was checked when it arrived. Pure: the same batch always gives the same result. */
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

/** The number of values in an upload, which is bounded. */
export function countValues(body: BatchWire): number {
  const inSeries = (body.series ?? []).reduce((sum, { values }) => sum + values.length, 0);
  const inTraces = (body.workouts ?? []).reduce((sum, one) => sum + (one.heart_rate?.values.length ?? 0), 0);
  const inStages = (body.sleep ?? []).reduce((sum, { stages }) => sum + (stages?.length ?? 0), 0);
  const lists = [body.records, body.daily, body.sleep, body.workouts, body.deletions];
  return lists.reduce((sum, list) => sum + (list?.length ?? 0), inSeries + inTraces + inStages);
}

type Item<List extends 'series' | 'records' | 'daily'> = NonNullable<BatchWire[List]>[number];

/** Gathers readings and totals, and what was refused of them. */
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
    // What is counted lasts for its interval; what is measured is a moment, unless moments lie far apart.
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

  /** A record that the same batch deletes is a deletion at once. */
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
    const cut = [...this.#byMetric.values()].map((readings) => readings.cut());
    return {
      samples: cut.flatMap(({ chunks }) => chunks),
      records: this.#records,
      totals: this.#totals,
      repeats: cut.reduce((sum, { repeats }) => sum + repeats, 0),
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
