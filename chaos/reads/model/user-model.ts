import { findMetric, isOptIn, type Method, type Metric, metrics } from '@tributary/domain';
import type { LocalDays } from '@tributary/rig';
import { canonicalValueOf, type CanonicalValue } from './canonical-value.ts';
import { addDerived, addFromSessions } from './computed-values.ts';
import { canMerge, choose, isHealthStore, type Candidate } from './choice.ts';
import { coverageOf } from './coverage.ts';
import { Calendar } from './day-bounds.ts';
import { partsOfDevice, totalsOf, readingsOf, valuesOfSessions, type DeviceReadings } from './device-days.ts';
import { measurements } from './measurements.ts';
import { mergeDay, type Stretch } from './merge.ts';
import type { ModelDevice, Normalized } from './normalized.ts';
import type { DeviceParts, Part } from './parts.ts';
import { rankedFor } from './ranks.ts';
import { SessionDays } from './session-days.ts';
import { keyOf, type ModelSettings } from './settings.ts';
import { sleepMetrics } from './sleep-metrics.ts';
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
    const totals = totalsOf(device, normalized);
    const dates = new Set([...readings.keys(), ...ofSessions.keys()].map((key) => key.split(' ')[0]!));
    for (const byDate of parts.values()) for (const date of byDate.keys()) dates.add(date);
    return { device, parts, readings, sessionValues: ofSessions, totals, dates };
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
  /** `date metric` → the value that its sessions give. */
  sessionValues: ReadonlyMap<string, number>;
  /** `date metric` → the total that its platform reported. */
  totals: ReadonlyMap<string, number>;
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
    const ofShown = this.#sessionDays.valueOf(date, metric, method);
    if (ofShown && (sleepMetrics.has(metric.id) || !this.#sessionDays.countsOwn(date, metric, method)))
      return ofShown;
    const only = method === 'priority' ? this.#onlyDevice(date, metric) : null;
    const all = this.#candidates(date, metric, method);
    const complete = all.filter(({ device }) => this.#hasPressure(device, date));
    const isPressure = metric.group === 'blood_pressure' && method !== 'priority' && complete.length > 0;
    const candidates = (isPressure ? complete : all).filter(({ device }) => only === null || device === only);
    if (candidates.length === 0) return ofShown;
    const { micros, devices } = choose(metric, method, candidates);
    return ofShown && micros < ofShown.micros ? ofShown : canonicalValueOf(micros, devices);
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
        coverage:
          reading.from === 'sessions' && sleepMetrics.has(metric.id)
            ? this.#shareOfNight(device, date, metric)
            : this.coverageOf(device, date, metric.id),
        total: this.#data.get(device)!.totals.get(`${date} ${metric.id}`) ?? null,
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
    const main = findMetric(first)!;
    if (keyOf(main) !== keyOf(metric)) {
      const ofMain = this.#onlyDevice(date, main);
      const alike = members.filter((id) => keyOf(findMetric(id)!) === keyOf(metric));
      const reports = (id: string) => (this.#readingOf(ofMain!, date, id)?.from ?? 'sessions') !== 'sessions';
      if (ofMain && this.#takingPart(metric).includes(ofMain) && alike.some(reports)) return ofMain;
    }
    const has = (device: ModelDevice, id: string) =>
      (this.#readingOf(device, date, id)?.from ?? 'sessions') !== 'sessions';
    const ranked = rankedFor(findMetric(first)!, this.#takingPart(metric)).filter((device) =>
      members.some((id) => has(device, id)),
    );
    const withFirst = ranked.filter((device) => has(device, first));
    const complete = withFirst.find((device) => others.some((id) => has(device, id)));
    return complete ?? withFirst[0] ?? ranked[0] ?? null;
  }

  /** Whether a device has both values of a blood pressure. */
  #hasPressure(device: ModelDevice, date: string): boolean {
    return ['systolic', 'diastolic'].every((half) => this.#readingOf(device, date, `blood_pressure_${half}`));
  }

  /** The sleep that a device recorded, as a share of the most that an enabled device did. 1 if it is not known. */
  #shareOfNight(device: ModelDevice, date: string, metric: Metric): number {
    const recorded = (one: ModelDevice) => {
      const fromSessions = ['asleep', 'time_in_bed'].map((id) =>
        this.#data.get(one)!.sessionValues.get(`${date} ${id}`),
      );
      return fromSessions.find((micros) => micros !== undefined);
    };
    const most = Math.max(0, ...this.#takingPart(metric).map((one) => recorded(one) ?? 0));
    const own = recorded(device);
    return own === undefined || most === 0 ? 1 : own / most;
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
