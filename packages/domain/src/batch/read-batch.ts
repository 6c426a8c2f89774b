import type { BatchWire, RejectionCode, Scope } from '@tributary/contract';
import type { Metric } from '../catalog/metric.ts';
import type { Reported } from '../day/device-day.ts';
import { parseDay, type DayNumber } from '../days.ts';
import { dayMs, hourMs, minuteMs } from '../durations.ts';
import { toMicros } from '../samples/micros.ts';
import { uuidBytes, type Owner } from '../samples/owner.ts';
import { replacedStamp, type Stamp } from '../samples/record.ts';
import {
  acceptedMetric,
  converterOf,
  isFromUnsetClock,
  isPlausible,
  problemOf,
  type ReadingBounds,
} from './plausible.ts';
import { PressurePairs } from './pressure-pairs.ts';
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

/** A version of a record with an ID. */
interface RecordVersion {
  id: string;
  metricNo: number;
  startMs: number;
  stamp: Stamp;
}

/** A validated batch: values are in catalog units and split into chunks. */
export interface ReadBatch {
  device: BatchBody['device'];
  samples: ChunkReadings[];
  records: RecordVersion[];
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
  reader.addRecords();
  body.daily?.forEach((total, index) => reader.total(total, index));
  reader.addTotals();
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

/** A valid reading, before it is compared with others of the same upload. */
interface Accepted {
  metric: Metric;
  timeMs: number;
  value: number;
  durationMs: number;
  owner: Owner;
  refuse: (code: RejectionCode) => void;
}

/** Collects readings, totals and rejections. */
class BatchReader {
  readonly bounds: ReadingBounds;
  readonly rejections = new Rejections();
  readonly #stamp: Stamp;
  readonly #owner: Owner;
  readonly #byMetric = new Map<number, Readings>();
  readonly #pressures = new PressurePairs();
  readonly #pressureTotals = new PressurePairs();
  /** Valid records. For each ID and metric, only the last one listed. */
  readonly #records = new Map<string | number, Accepted & { id: string | undefined }>();
  /** Every record whose reading was added, in order. */
  readonly #added: { id: string | undefined; metricNo: number; startMs: number }[] = [];
  readonly #totals: DayReading[] = [];
  #repeats = 0;

  constructor({ batchId, createdMs, receivedMs, scopes }: BatchFacts) {
    this.bounds = { earliestMs: 0, latestMs: receivedMs + futureMs, scopes };
    this.#stamp = { createdMs, batchId };
    this.#owner = { createdMs, batchId: uuidBytes(batchId), utcOffsetMinutes: null, unitCode: 0 };
  }

  series(series: Item<'series'>, index: number): void {
    const { values, interval_seconds: interval, offsets_seconds: offsets } = series;
    const refuse = (code: RejectionCode, count: number, position?: number) =>
      this.rejections.add('series', index, code, count, position);
    const metric = acceptedMetric(series.metric, this.bounds.scopes);
    if (typeof metric === 'string') return refuse(metric, values.length);
    const convert = converterOf(metric, series.unit, values);
    if (typeof convert === 'string') return refuse(convert, values.length);
    const placed = offsets ? offsets.length === values.length : interval !== undefined || values.length === 1;
    if (!placed) return refuse('invalid_series', values.length);

    const startMs = Date.parse(series.start);
    const stepMs = (interval ?? 0) * 1000;
    // Counted values last for their interval. Measured values are instantaneous unless they are far apart.
    const durationMs = metric.aggregation === 'sum' || stepMs > minuteMs ? Math.round(stepMs) : 0;
    const readings = this.#readingsOf(metric);
    const owner = this.#ownerOf(series.utc_offset, convert.unitCode);
    const ownerIndex = readings.ownerIndex(owner);
    const isPressure = PressurePairs.includes(metric.id);
    for (let at = 0; at < values.length; at += 1) {
      const timeMs = Math.round(startMs + (offsets ? offsets[at]! * 1000 : at * stepMs));
      const value = convert.toCatalog(values[at]!);
      const problem = problemOf(metric, value, timeMs, durationMs, this.bounds);
      if (problem) refuse(problem, 1, at);
      else if (!isPressure) readings.add(timeMs, toMicros(value), durationMs, ownerIndex);
      else {
        const reading = { metric, timeMs, value, durationMs, owner };
        this.#addPressure({ ...reading, refuse: (code) => refuse(code, 1, at) }, () => this.#add(reading));
      }
    }
  }

  /** Validates a record. `addRecords` adds those that remain. */
  record(record: Item<'records'>, index: number, deleted: ReadonlySet<string>): void {
    const refuse = (code: RejectionCode) => this.rejections.add('records', index, code);
    const metric = acceptedMetric(record.metric, this.bounds.scopes);
    if (typeof metric === 'string') return refuse(metric);
    const convert = converterOf(metric, record.unit, [record.value]);
    if (typeof convert === 'string') return refuse(convert);
    const timeMs = Date.parse(record.start);
    const durationMs = record.end === undefined ? 0 : Date.parse(record.end) - timeMs;
    const value = convert.toCatalog(record.value);
    const problem = problemOf(metric, value, timeMs, durationMs, this.bounds);
    if (problem) return refuse(problem);
    const { id } = record;
    // The deletion in the same upload applies to this version too.
    if (id !== undefined && deleted.has(id)) return;
    const key = id === undefined ? index : `${metric.no}/${id}`;
    // Deletes first, because the order in which readings are listed matters.
    if (this.#records.delete(key)) this.#repeats += 1;
    const owner = this.#ownerOf(record.utc_offset, convert.unitCode);
    this.#records.set(key, { id, metric, timeMs, value, durationMs, owner, refuse });
  }

  /** Adds the readings of records and blood pressure, after all of them are known. */
  addRecords(): void {
    for (const record of this.#records.values()) {
      const add = () => {
        this.#added.push({ id: record.id, metricNo: record.metric.no, startMs: record.timeMs });
        this.#add(record);
      };
      if (PressurePairs.includes(record.metric.id)) this.#addPressure(record, add);
      else add();
    }
    this.#pressures.decide();
  }

  total(total: Item<'daily'>, index: number): void {
    const refuse = (code: RejectionCode) => this.rejections.add('daily', index, code);
    const metric = acceptedMetric(total.metric, this.bounds.scopes);
    if (typeof metric === 'string') return refuse(metric);
    const convert = converterOf(metric, total.unit, [total.value]);
    if (typeof convert === 'string') return refuse(convert);
    const day = parseDay(total.date);
    const timely = day !== null && day >= 0 && day * dayMs <= this.bounds.latestMs + earliestDateMs;
    if (!timely) return refuse('invalid_time');
    if (isFromUnsetClock(day * dayMs)) return refuse('unset_clock');
    const value = convert.toCatalog(total.value);
    if (!isPlausible(metric, value)) return refuse('out_of_range');
    const owner = this.#ownerOf(undefined, convert.unitCode);
    const accept = () => this.#totals.push({ metricNo: metric.no, day, micros: toMicros(value), owner });
    if (!PressurePairs.includes(metric.id)) accept();
    else
      this.#pressureTotals.add({
        metricId: metric.id,
        time: day,
        value,
        accept,
        reject: () => refuse('inconsistent_pressure'),
      });
  }

  /** Adds the totals of blood pressure, after all of them are known. */
  addTotals(): void {
    this.#pressureTotals.decide();
  }

  finish(): Pick<ReadBatch, 'samples' | 'records' | 'totals' | 'repeats'> {
    const splitReadings = [...this.#byMetric.values()].map((readings) => readings.splitIntoChunks());
    const replaced = splitReadings.reduce((sum, { repeats }) => sum + repeats, 0);
    return {
      samples: splitReadings.flatMap(({ chunks }) => chunks),
      records: this.#versions(replaced > 0),
      totals: this.#totals,
      repeats: this.#repeats + replaced,
    };
  }

  /** The records with an ID. Where several records have the same metric and start, the last one listed has the reading. */
  #versions(areSomeReplaced: boolean): RecordVersion[] {
    const lastAt = new Map<string, object>();
    if (areSomeReplaced) for (const record of this.#added) lastAt.set(placeOf(record), record);
    return this.#added.flatMap((record) => {
      const { id, metricNo, startMs } = record;
      if (id === undefined) return [];
      const isReplaced = areSomeReplaced && lastAt.get(placeOf(record)) !== record;
      return [{ id, metricNo, startMs, stamp: isReplaced ? replacedStamp(this.#stamp) : this.#stamp }];
    });
  }

  #add({ metric, timeMs, value, durationMs, owner }: Omit<Accepted, 'refuse'>): void {
    const readings = this.#readingsOf(metric);
    readings.add(timeMs, toMicros(value), durationMs, readings.ownerIndex(owner));
  }

  #addPressure({ metric, timeMs, value, refuse }: Accepted, accept: () => void): void {
    const reject = () => refuse('inconsistent_pressure');
    this.#pressures.add({ metricId: metric.id, time: timeMs, value, accept, reject });
  }

  #readingsOf(metric: Metric): Readings {
    let readings = this.#byMetric.get(metric.no);
    if (!readings) this.#byMetric.set(metric.no, (readings = new Readings(metric.no)));
    return readings;
  }

  #ownerOf(utcOffset: string | undefined, unitCode: number): Owner {
    return { ...this.#owner, utcOffsetMinutes: minutesOf(utcOffset), unitCode };
  }
}

function placeOf({ metricNo, startMs }: { metricNo: number; startMs: number }): string {
  return `${metricNo}/${startMs}`;
}
