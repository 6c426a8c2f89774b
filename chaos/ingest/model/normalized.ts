import type { DeviceKind, Upload } from '../upload.ts';
import { acceptedMicros } from './rules.ts';

/** A stored batch, and the creation time that decides precedence. */
export interface CountedBatch {
  upload: Upload;
  createdMs: number;
}

/** The effective value for one device, metric and moment, and the batch it comes from. Null after a deletion. */
export interface Reading {
  micros: number | null;
  durationMs: number;
  batchId: string;
}

export interface Session {
  device: DeviceKind;
  id: string;
  startMs: number;
  endMs: number;
  /** Minutes of sleep or values of a workout, by name. */
  numbers: Record<string, number>;
}

/** The normalized data of one user, per device. */
export interface Normalized {
  /** `device metric` → moment → reading. */
  readings: Map<string, Map<number, Reading>>;
  /** `device metric date` → total, and when it was reported. */
  totals: Map<string, { micros: number; batchId: string; createdMs: number }>;
  /** `device id` → session; null after a deletion. */
  sleep: Map<string, Session | null>;
  workouts: Map<string, Session | null>;
}

/** Derives the effective data from all batches of a user. Batches are ordered by creation time, then by id, and each overwrites the earlier ones. */
export function normalize(batches: readonly CountedBatch[]): Normalized {
  const ordered = batches.toSorted(
    (a, b) => a.createdMs - b.createdMs || (a.upload.batchId < b.upload.batchId ? -1 : 1),
  );
  const latest = latestOfRecords(ordered);
  const model: Normalized = { readings: new Map(), totals: new Map(), sleep: new Map(), workouts: new Map() };
  for (const { upload, createdMs } of ordered) {
    applyReadings(model, upload, latest, createdMs);
    applySessions(model, upload);
  }
  return model;
}

/** `device id` → metric → the version of a record that counts. */
type Latest = Map<string, Map<string, RecordWire>>;

function latestOfRecords(batches: readonly CountedBatch[]): Latest {
  const latest: Latest = new Map();
  for (const { upload } of batches) {
    for (const record of upload.body.records ?? []) {
      if (record.id === undefined || microsOf(record) === null) continue;
      const key = `${upload.device} ${record.id}`;
      const byMetric = latest.get(key) ?? new Map<string, RecordWire>();
      latest.set(key, byMetric.set(record.metric, record));
    }
    for (const id of deletedBy(upload)) latest.delete(`${upload.device} ${id}`);
  }
  return latest;
}

function deletedBy({ body }: Upload): Set<string> {
  return new Set((body.deletions ?? []).flatMap(({ kind, id }) => (kind === 'record' ? id : [])));
}

function applyReadings(model: Normalized, upload: Upload, latest: Latest, createdMs: number): void {
  const { device, batchId, body } = upload;
  const set = (metric: string, atMs: number, micros: number | null, durationMs: number) => {
    const key = `${device} ${metric}`;
    let readings = model.readings.get(key);
    if (!readings) model.readings.set(key, (readings = new Map()));
    readings.set(atMs, { micros, durationMs, batchId });
  };
  for (const { metric, start, values, unit, interval_seconds = 0, offsets_seconds } of body.series ?? []) {
    values.forEach((value, at) => {
      const micros = acceptedMicros(metric, value, unit);
      const seconds = offsets_seconds ? offsets_seconds[at]! : at * interval_seconds;
      if (micros !== null) set(metric, Date.parse(start) + seconds * 1000, micros, 0);
    });
  }
  for (const record of lastVersions(upload)) {
    const counts =
      record.id === undefined || latest.get(`${device} ${record.id}`)?.get(record.metric) === record;
    const durationMs = counts ? durationOf(record) : 0;
    set(record.metric, Date.parse(record.start), counts ? microsOf(record) : null, durationMs);
  }
  for (const { metric, date, value, unit } of body.daily ?? []) {
    // The limit per minute does not apply to a day.
    const micros = acceptedMicros(metric, value, unit, 86_400_000);
    if (micros !== null) model.totals.set(`${device} ${metric} ${date}`, { micros, batchId, createdMs });
  }
}

/** The accepted records of an upload: the last one listed for each id, without those that the same upload deletes. */
function lastVersions(upload: Upload): RecordWire[] {
  const deleted = deletedBy(upload);
  const accepted = (upload.body.records ?? []).filter(
    (record) => microsOf(record) !== null && !deleted.has(record.id ?? ''),
  );
  const keyOf = ({ metric, id }: RecordWire) => `${metric} ${id}`;
  const last = new Map(accepted.map((record) => [keyOf(record), record]));
  return accepted.filter((record) => record.id === undefined || last.get(keyOf(record)) === record);
}

function applySessions(model: Normalized, { device, body }: Upload): void {
  for (const session of body.sleep ?? []) {
    const numbers = { ...session.minutes, ...session.vitals };
    model.sleep.set(`${device} ${session.id}`, { device, id: session.id, ...spanOf(session), numbers });
  }
  for (const workout of body.workouts ?? []) {
    const numbers = { ...workout.values };
    model.workouts.set(`${device} ${workout.id}`, { device, id: workout.id, ...spanOf(workout), numbers });
  }
  for (const { kind, id } of body.deletions ?? []) {
    if (kind === 'sleep') model.sleep.set(`${device} ${id}`, null);
    if (kind === 'workout') model.workouts.set(`${device} ${id}`, null);
  }
}

type RecordWire = NonNullable<Upload['body']['records']>[number];

function microsOf(record: RecordWire): number | null {
  return acceptedMicros(record.metric, record.value, record.unit, durationOf(record));
}

function durationOf({ start, end }: RecordWire): number {
  return end === undefined ? 0 : Date.parse(end) - Date.parse(start);
}

function spanOf({ start, end }: { start: string; end: string }): { startMs: number; endMs: number } {
  return { startMs: Date.parse(start), endMs: Date.parse(end) };
}
