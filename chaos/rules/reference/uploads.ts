/** What a phone sends. The reference reads exactly these objects and nothing that the service stores. */
export interface Batch {
  batch_id: string;
  created_at: string;
  device: { provider: string; id: string; kind: string };
  series?: { metric: string; start: string; interval_seconds: number; values: number[] }[];
  records?: { metric: string; start: string; end?: string; value: number; id?: string }[];
  daily?: { metric: string; date: string; value: number }[];
  sleep?: SleepItem[];
  workouts?: WorkoutItem[];
  deletions?: { kind: 'record' | 'sleep' | 'workout'; id: string }[];
}

export interface SleepItem {
  id: string;
  start: string;
  end: string;
  stages?: { stage: string; start: string; end: string }[];
  minutes?: Record<string, number>;
}

export interface WorkoutItem {
  id: string;
  sport_type: string;
  start: string;
  end: string;
  values?: Record<string, number>;
  heart_rate?: { start: string; interval_seconds: number; values: number[] };
}

/** One reading. A reading of a moment ends when it starts. */
export interface Reading {
  startMs: number;
  endMs: number;
  value: number;
  /** The id of the record, if it has one. */
  id: string | null;
}

/** A total that a platform reported for a day, valid as of the creation of its upload. */
interface Total {
  value: number;
  asOfMs: number;
}

/** The current data of one device, after corrections and deletions. */
export interface Device {
  provider: string;
  id: string;
  kind: string;
  connectedMs: number;
  readings: Map<string, Map<number, Reading>>;
  totals: Map<string, Map<string, Total>>;
  sleep: Map<string, SleepItem>;
  workouts: Map<string, WorkoutItem>;
}

/** Lowest and highest plausible value of a metric, and the largest amount of a minute. */
export type Ranges = ReadonlyMap<
  string,
  { minimum: number; maximum: number; maximum_per_minute: number | null }
>;

const minuteMs = 60_000;

/** Applies uploads in the order of their creation. Later data of one device, metric and start, or of one id, replaces earlier data. */
export function collectDevices(batches: readonly Batch[], ranges: Ranges): Device[] {
  const devices = new Map<string, Device>();
  const inOrder = batches.toSorted(
    (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || (a.batch_id < b.batch_id ? -1 : 1),
  );
  for (const batch of inOrder) {
    const { provider, id, kind } = batch.device;
    const device = devices.get(`${provider}/${id}`) ?? {
      provider,
      id,
      kind,
      connectedMs: Date.parse(batch.created_at),
      readings: new Map(),
      totals: new Map(),
      sleep: new Map(),
      workouts: new Map(),
    };
    devices.set(`${provider}/${id}`, device);
    applyReadings(device, batch, ranges);
    for (const { metric, date, value } of batch.daily ?? [])
      if (isPlausible(ranges, metric, value))
        within(device.totals, metric).set(date, { value, asOfMs: Date.parse(batch.created_at) });
    for (const night of batch.sleep ?? []) if (isConsistentNight(night)) device.sleep.set(night.id, night);
    for (const workout of batch.workouts ?? []) device.workouts.set(workout.id, workout);
    for (const { kind, id } of batch.deletions ?? []) remove(device, kind, id);
  }
  return [...devices.values()];
}

function applyReadings(device: Device, batch: Batch, ranges: Ranges): void {
  const pressures = new Map<string, { systolic?: number; diastolic?: number }>();
  for (const { metric, start, value } of batch.records ?? [])
    if (metric.startsWith('blood_pressure_')) {
      const pair = pressures.get(start) ?? {};
      pressures.set(start, { ...pair, [metric.slice('blood_pressure_'.length)]: value });
    }
  for (const { metric, start, interval_seconds, values } of batch.series ?? [])
    values.forEach((value, at) => {
      const startMs = Date.parse(start) + at * interval_seconds * 1000;
      const endMs = startMs + interval_seconds * 1000;
      const reading = { startMs, endMs, value, id: null };
      if (isPlausible(ranges, metric, value) && isPlausibleRate(ranges, metric, reading))
        put(device, metric, reading);
    });
  for (const { metric, start, end, value, id } of batch.records ?? []) {
    const { systolic, diastolic } = (metric.startsWith('blood_pressure_') && pressures.get(start)) || {};
    const isContradiction = systolic !== undefined && diastolic !== undefined && systolic <= diastolic;
    if (isContradiction || !isPlausible(ranges, metric, value)) continue;
    const startMs = Date.parse(start);
    const endMs = end ? Date.parse(end) : startMs;
    const reading = { startMs, endMs, value, id: id ?? null };
    if (endMs >= startMs && isPlausibleRate(ranges, metric, reading)) put(device, metric, reading);
  }
}

function put(device: Device, metric: string, reading: Reading): void {
  const readings = within(device.readings, metric);
  if (reading.id !== null)
    for (const [startMs, earlier] of readings) if (earlier.id === reading.id) readings.delete(startMs);
  readings.set(reading.startMs, reading);
}

function remove(device: Device, kind: 'record' | 'sleep' | 'workout', id: string): void {
  if (kind === 'sleep') device.sleep.delete(id);
  else if (kind === 'workout') device.workouts.delete(id);
  else
    for (const readings of device.readings.values())
      for (const [startMs, reading] of readings) if (reading.id === id) readings.delete(startMs);
}

function isPlausible(ranges: Ranges, metric: string, value: number): boolean {
  const range = ranges.get(metric);
  return range !== undefined && value >= range.minimum && value <= range.maximum;
}

/** Less than a minute counts as a minute. */
function isPlausibleRate(ranges: Ranges, metric: string, { startMs, endMs, value }: Reading): boolean {
  const perMinute = ranges.get(metric)?.maximum_per_minute ?? Infinity;
  return value <= perMinute * Math.max(1, (endMs - startMs) / minuteMs);
}

/** Whether no minutes exceed the session by more than two minutes, and time asleep does not exceed time in bed by more than that. */
function isConsistentNight({ start, end, minutes = {} }: SleepItem): boolean {
  const most = (Date.parse(end) - Date.parse(start)) / minuteMs + 2;
  const { asleep = 0, awake = 0, in_bed: inBed, deep = 0, light = 0, rem = 0 } = minutes;
  if (Math.max(asleep, awake, inBed ?? 0, deep + light + rem) > most) return false;
  return inBed === undefined || asleep <= inBed + 2;
}

function within<Key, Inner>(map: Map<string, Map<Key, Inner>>, metric: string): Map<Key, Inner> {
  const inner = map.get(metric) ?? new Map<Key, Inner>();
  map.set(metric, inner);
  return inner;
}
