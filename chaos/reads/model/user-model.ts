import { findMetric, isOptIn, type Method, type Metric, metrics } from '@tributary/domain';
import type { LocalDays } from '@tributary/rig';
import { canonicalValueOf, type CanonicalValue } from './canonical-value.ts';
import { canMerge, choose, isHealthStore, type Candidate } from './choice.ts';
import { coverageOf } from './coverage.ts';
import { Calendar } from './day-bounds.ts';
import {
  partsOfDevice,
  readingsOf,
  valuesOfSessions,
  type DeviceParts,
  type DeviceReadings,
} from './device-days.ts';
import { measurements } from './measurements.ts';
import { mergeDay, type Stretch } from './merge.ts';
import type { ModelDevice, Normalized } from './normalized.ts';
import type { Part } from './parts.ts';
import { rankedFor } from './ranks.ts';
import { SessionDays } from './session-days.ts';
import { keyOf, type ModelSettings } from './settings.ts';
import { keepSleep, numberSleep, type CanonicalSleep } from './sleep.ts';
import { dateWorkouts, keepWorkouts, trainingKinds, type ModelWorkout } from './workouts.ts';

/** A sample as the API returns it. */
export interface ShownSample {
  atMs: number;
  metric: string;
  micros: number;
  device: ModelDevice;
  /** Null if the sample was merged from several. */
  unitCode: number | null;
}

/** Everything that the API must return for one user. */
export interface UserModel {
  days: LocalDays;
  /** `date metric` → canonical value. */
  canonicalValues: Map<string, CanonicalValue>;
  /** The values that each device reports. */
  readings: Map<ModelDevice, DeviceReadings>;
  /** The share of a date that a device observed. It must have a value. */
  coverageOf: (device: ModelDevice, date: string, metricId: string) => number;
  sleep: CanonicalSleep[];
  workouts: ModelWorkout[];
  samples: ShownSample[];
}

/** Derives a user's canonical values from the normalized layer and settings, without using the rules of the service. */
export function modelUser(
  normalized: Normalized,
  settings: ModelSettings,
  days: LocalDays,
  sampled: readonly string[],
): UserModel {
  const calendar = new Calendar(days);
  const sleep = numberSleep(normalized.sleep, days);
  const workouts = dateWorkouts(normalized.workouts, days);
  const devices = normalized.devices.map((device): DeviceData => {
    const parts = partsOfDevice(device, normalized, calendar);
    const ofSessions = valuesOfSessions(
      sleep.filter((session) => session.device === device),
      workouts.filter((workout) => workout.device === device),
      days,
    );
    const readings = readingsOf(device, normalized, parts, ofSessions, calendar);
    const dates = new Set([...readings.keys(), ...ofSessions.keys()].map((key) => key.split(' ')[0]!));
    for (const byDate of parts.values()) for (const date of byDate.keys()) dates.add(date);
    return { device, parts, readings, dates };
  });
  const canonicalSleep = keepSleep(sleep, settings, days);
  const canonicalWorkouts = keepWorkouts(workouts);
  const sessionDays = new SessionDays(canonicalSleep, canonicalWorkouts, settings);
  const day = new Decider(devices, sessionDays, settings, calendar);
  const values = new Map<string, CanonicalValue>();
  for (const key of new Set([
    ...devices.flatMap(({ readings }) => [...readings.keys()]),
    ...sessionDays.keys(),
  ])) {
    const [date, metricId] = key.split(' ') as [string, string];
    const metric = findMetric(metricId)!;
    const method = settings.methodOf(metric);
    const canonicalValue = method && day.decide(date, metric, method);
    if (canonicalValue) values.set(key, canonicalValue);
  }
  for (const { device, dates } of devices)
    if (trainingKinds.includes(device.kind))
      for (const date of dates)
        values.set(`${date} workout_count`, { micros: 0, source: null, contributors: [] });
  addFromSessions(values, canonicalSleep, canonicalWorkouts, days);
  addDerived(values, day);
  return {
    days,
    canonicalValues: values,
    readings: new Map(devices.map(({ device, readings }) => [device, readings])),
    coverageOf: (device, date, metricId) => day.coverageOf(device, date, metricId),
    sleep: canonicalSleep,
    workouts: canonicalWorkouts,
    samples: sampled.flatMap((metricId) => shownSamples(findMetric(metricId)!, day, values)),
  };
}

/** The data of one device. */
interface DeviceData {
  device: ModelDevice;
  parts: DeviceParts;
  readings: DeviceReadings;
  /** Dates with any data. */
  dates: ReadonlySet<string>;
}

/** Decides between devices, date by date. */
class Decider {
  readonly #data: ReadonlyMap<ModelDevice, DeviceData>;
  readonly #sessionDays: SessionDays;
  readonly #calendar: Calendar;
  readonly settings: ModelSettings;

  constructor(
    devices: readonly DeviceData[],
    sessionDays: SessionDays,
    settings: ModelSettings,
    calendar: Calendar,
  ) {
    this.#data = new Map(devices.map((data) => [data.device, data]));
    this.#sessionDays = sessionDays;
    this.settings = settings;
    this.#calendar = calendar;
  }

  decide(date: string, metric: Metric, method: Method): CanonicalValue | null {
    const fromSessions = this.#sessionDays.valueOf(date, metric, method);
    if (fromSessions) return fromSessions;
    const only = method === 'priority' ? this.#onlyDevice(date, metric) : null;
    const candidates = this.#candidates(date, metric, method).filter(
      ({ device }) => only === null || device === only,
    );
    if (candidates.length === 0) return null;
    const { micros, devices } = choose(metric, method, candidates);
    return canonicalValueOf(micros, devices);
  }

  coverageOf(device: ModelDevice, date: string, metricId: string): number {
    const { readings } = this.#data.get(device)!;
    return coverageOf(readings, date, metricId, this.#calendar.boundsOf(date));
  }

  /** The intervals of a merged day. */
  merge(date: string, metric: Metric, devices: readonly ModelDevice[]): Stretch[] {
    return mergeDay(devices.map((device) => ({ device, parts: this.partsOf(device, metric, date) })));
  }

  partsOf(device: ModelDevice, { id }: Metric, date: string): readonly Part[] {
    return this.#data.get(device)!.parts.get(id)?.get(date) ?? [];
  }

  /** Enabled devices with samples on a date, best rank first. */
  sampling(metric: Metric, date: string): ModelDevice[] {
    return this.#takingPart(metric).filter((device) => this.partsOf(device, metric, date).length > 0);
  }

  /** Every date with data of any device. */
  dates(): Set<string> {
    return new Set([...this.#data.values()].flatMap(({ dates }) => [...dates]));
  }

  datesSampled({ id }: Metric): string[] {
    const dates = [...this.#data.values()].flatMap(({ parts }) => [...(parts.get(id)?.keys() ?? [])]);
    return [...new Set(dates)];
  }

  #candidates(date: string, metric: Metric, method: Method): Candidate[] {
    const sampling = canMerge(metric) ? this.sampling(metric, date) : [];
    const worn = sampling.filter(
      (device) =>
        this.#readingOf(device, date, metric.id)?.micros !== 0 ||
        this.coverageOf(device, date, metric.id) > 0,
    );
    const isMerged = ({ provider }: ModelDevice) =>
      method === 'merge' ||
      (isHealthStore(provider) && worn.filter((other) => other.provider === provider).length > 1);
    return this.#takingPart(metric).flatMap((device) => {
      const reading = this.#readingOf(device, date, metric.id);
      if (!reading) return [];
      if (reading.from === 'sessions' && !this.#sessionDays.countsOwn(date, metric, method)) return [];
      return {
        device,
        micros: reading.micros,
        coverage: this.coverageOf(device, date, metric.id),
        isTotal: reading.from === 'total',
        parts: sampling.includes(device) && isMerged(device) ? this.partsOf(device, metric, date) : [],
      };
    });
  }

  /** The device that all metrics of a night or of another measurement come from. Null if any device may provide the metric. */
  #onlyDevice(date: string, metric: Metric): ModelDevice | null {
    const ofNight = this.#sessionDays.nightDeviceFor(date, metric);
    if (ofNight) return ofNight;
    const members = measurements.find((ids) => ids.includes(metric.id));
    if (!members) return null;
    const [first, ...others] = members as [string, ...string[]];
    const has = (device: ModelDevice, id: string) =>
      (this.#readingOf(device, date, id)?.from ?? 'sessions') !== 'sessions';
    const ranked = rankedFor(findMetric(first)!, this.#takingPart(metric)).filter((device) =>
      members.some((id) => has(device, id)),
    );
    const withFirst = ranked.filter((device) => has(device, first));
    const complete = withFirst.find((device) => others.some((id) => has(device, id)));
    return complete ?? withFirst[0] ?? ranked[0] ?? null;
  }

  #readingOf(device: ModelDevice, date: string, metricId: string) {
    return this.#data.get(device)!.readings.get(`${date} ${metricId}`);
  }

  #takingPart(metric: Metric): ModelDevice[] {
    return rankedFor(metric, [...this.#data.keys()]).filter(({ provider }) =>
      this.settings.takesPart(keyOf(metric), provider),
    );
  }
}

function addFromSessions(
  canonicalValues: Map<string, CanonicalValue>,
  sleep: readonly CanonicalSleep[],
  workouts: readonly ModelWorkout[],
  days: LocalDays,
): void {
  const set = (date: string, metric: string, micros: number) =>
    canonicalValues.set(`${date} ${metric}`, { micros, source: null, contributors: [] });
  for (const [date, sessions] of Map.groupBy(sleep, (session) => session.date)) {
    set(date, 'nap_count', sessions.filter(({ isMain }) => !isMain).length * 1e6);
    const main = sessions.find(({ isMain }) => isMain);
    if (!main) continue;
    const clock = (instantMs: number) => Math.round(days.minutesFrom(date, instantMs)) * 1e6;
    set(date, 'bedtime', clock(main.startMs));
    set(date, 'wake_time', clock(main.endMs));
    set(date, 'sleep_midpoint', clock((main.startMs + main.endMs) / 2));
  }
  for (const [date, ofDate] of Map.groupBy(workouts, (workout) => workout.date)) {
    set(date, 'workout_count', ofDate.length * 1e6);
    const energies = ofDate.flatMap(({ content }) => content.values['active_calories'] ?? []);
    const energy = energies.reduce((sum, kcal) => sum + Math.round(kcal * 1e6), 0);
    if (energies.length > 0) set(date, 'exercise_energy', energy);
  }
}

/** Adds values that are derived from other values of the same date. */
function addDerived(canonicalValues: Map<string, CanonicalValue>, day: Decider): void {
  const total = findMetric('total_energy')!;
  for (const date of day.dates()) {
    const of = (metric: string) => {
      const canonicalValue = canonicalValues.get(`${date} ${metric}`);
      return canonicalValue === undefined ? null : canonicalValue.micros / 1e6;
    };
    const set = (metric: string, value: number | null) => {
      const { min, max } = findMetric(metric)!;
      if (value !== null && value >= min && value <= max)
        canonicalValues.set(`${date} ${metric}`, {
          micros: Math.round(value * 1e6),
          source: null,
          contributors: [],
        });
    };
    const both = (a: string, b: string, combine: (a: number, b: number) => number | null) => {
      const [first, second] = [of(a), of(b)];
      return first === null || second === null ? null : combine(first, second);
    };
    set(
      'restorative_sleep',
      both('deep_sleep', 'REM', (a, b) => a + b),
    );
    const [high, low] = ['blood_pressure_systolic', 'blood_pressure_diastolic'] as const;
    set(
      'pulse_pressure',
      both(high, low, (a, b) => a - b),
    );
    set(
      'mean_arterial_pressure',
      both(high, low, (a, b) => (a > b ? b + (a - b) / 3 : null)),
    );
    set(
      'waist_to_height_ratio',
      both('waist_circumference', 'height', (a, b) => a / b),
    );
    // Only if no device reported them.
    if (of('body_mass_index') === null)
      set(
        'body_mass_index',
        both('weight', 'height', (kg, cm) => kg / (cm / 100) ** 2),
      );
    if (of('intensity_minutes') === null)
      set(
        'intensity_minutes',
        both('moderate_intensity_activity', 'vigorous_intensity_activity', (a, b) => a + 2 * b),
      );
    const reportedTotal = day.decide(date, total, 'priority');
    set(
      'total_energy',
      both('active_calories', 'resting_energy', (a, b) => a + b) ??
        (reportedTotal && reportedTotal.micros / 1e6),
    );
    set(
      'energy_balance',
      both('dietary_energy', 'total_energy', (a, b) => a - b),
    );
  }
}

/**
 * The samples of each date. They come from the source of the day's value, else from the best device. Counts of a health store, or of all
 * devices with the method `merge`, are merged.
 */
function shownSamples(
  metric: Metric,
  day: Decider,
  canonicalValues: ReadonlyMap<string, CanonicalValue>,
): ShownSample[] {
  const shown: ShownSample[] = [];
  for (const date of day.datesSampled(metric)) {
    const devices = day.sampling(metric, date);
    const supplier = canonicalValues.get(`${date} ${metric.id}`)?.source;
    const device = devices.find((one) => one === supplier) ?? devices[0];
    if (!device) continue;
    const isMerge = canMerge(metric) && day.settings.methodOf(metric) === 'merge';
    const { provider } = device;
    const isOfStore = canMerge(metric) && isHealthStore(provider);
    const together = isMerge ? devices : devices.filter((one) => isOfStore && one.provider === provider);
    if (isMerge || together.length > 1)
      for (const { startMs, micros, device: from } of day.merge(date, metric, together))
        shown.push({ atMs: startMs, metric: metric.id, micros, device: from, unitCode: null });
    else
      for (const { startMs, micros, sample } of day.partsOf(device, metric, date)) {
        // Measured values are shown once, at their start.
        if (metric.aggregation !== 'sum' && startMs !== sample.atMs) continue;
        shown.push({ atMs: startMs, metric: metric.id, micros, device, unitCode: sample.unitCode });
      }
  }
  return shown;
}

/** The metrics in a daily response that names none. */
const shared = metrics.filter((metric) => !isOptIn(metric));
export const dailyMetrics = {
  1: shared.filter(({ form1Surfaces }) => form1Surfaces.includes('daily')).map(({ id }) => id),
  2: shared.filter(({ form2Surfaces }) => form2Surfaces.includes('daily')).map(({ id }) => id),
};
