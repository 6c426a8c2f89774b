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
  /** `device metric date` → total. */
  totals: Map<string, { micros: number; batchId: string }>;
  /** `device id` → session; null after a deletion. */
  sleep: Map<string, Session | null>;
  workouts: Map<string, Session | null>;
}

/** Derives the effective data from all batches of a user. Batches are ordered by creation time, then by id, and each overwrites the earlier ones. */
export function normalize(batches: readonly CountedBatch[]): Normalized {
  const ordered = batches.toSorted(
    (a, b) => a.createdMs - b.createdMs || (a.upload.batchId < b.upload.batchId ? -1 : 1),
  );
  const places = placesOfRecords(ordered);
  const model: Normalized = { readings: new Map(), totals: new Map(), sleep: new Map(), workouts: new Map() };
  for (const { upload } of ordered) {
    applyReadings(model, upload, places);
    applySessions(model, upload);
  }
  return model;
}

/** Lists every moment at which each record with an id has started. */
function placesOfRecords(
  batches: readonly CountedBatch[],
): Map<string, { metric: string; startMs: number }[]> {
  const places = new Map<string, { metric: string; startMs: number }[]>();
  for (const { upload } of batches) {
    for (const record of upload.body.records ?? []) {
      if (record.id === undefined || microsOf(record) === null) continue;
      const key = `${upload.device} ${record.id}`;
      places.set(key, [
        ...(places.get(key) ?? []),
        { metric: record.metric, startMs: Date.parse(record.start) },
      ]);
    }
  }
  return places;
}

function applyReadings(
  model: Normalized,
  { device, batchId, body }: Upload,
  places: ReturnType<typeof placesOfRecords>,
): void {
  const set = (metric: string, atMs: number, micros: number | null, durationMs: number) => {
    const key = `${device} ${metric}`;
    let readings = model.readings.get(key);
    if (!readings) model.readings.set(key, (readings = new Map()));
    readings.set(atMs, { micros, durationMs, batchId });
  };
  const deleted = new Set((body.deletions ?? []).filter(({ kind }) => kind === 'record').map(({ id }) => id));
  for (const id of deleted)
    for (const { metric, startMs } of places.get(`${device} ${id}`) ?? []) set(metric, startMs, null, 0);
  for (const { metric, start, values, unit, interval_seconds = 0, offsets_seconds } of body.series ?? []) {
    values.forEach((value, at) => {
      const micros = acceptedMicros(metric, value, unit);
      const seconds = offsets_seconds ? offsets_seconds[at]! : at * interval_seconds;
      if (micros !== null) set(metric, Date.parse(start) + seconds * 1000, micros, 0);
    });
  }
  for (const record of body.records ?? []) {
    const micros = microsOf(record);
    if (micros === null) continue;
    const isDeleted = record.id !== undefined && deleted.has(record.id);
    const durationMs = isDeleted ? 0 : durationOf(record);
    set(record.metric, Date.parse(record.start), isDeleted ? null : micros, durationMs);
  }
  for (const { metric, date, value, unit } of body.daily ?? []) {
    // The limit per minute does not apply to a day.
    const micros = acceptedMicros(metric, value, unit, 86_400_000);
    if (micros !== null) model.totals.set(`${device} ${metric} ${date}`, { micros, batchId });
  }
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
