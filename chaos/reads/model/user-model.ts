import { findMetric, type Method, type Metric, metrics } from '@tributary/domain';
import { LocalDays } from '@tributary/rig';
import { readingsOf, samplesByDate, type DeviceReadings } from './device-days.ts';
import { mergeDay, type Stretch } from './merge.ts';
import type { ModelDevice, Normalized, Sample } from './normalized.ts';
import { rankedFor } from './ranks.ts';
import { keyOf, type ModelSettings } from './settings.ts';
import { keepSleep, numberSleep, type CanonicalSleep } from './sleep.ts';
import { dateWorkouts, keepWorkouts, type ModelWorkout } from './workouts.ts';

/** The canonical value of a metric and date. */
interface CanonicalValue {
  micros: number;
  /** Null if the value is derived from other values. */
  source: ModelDevice | null;
  /** All devices that contributed, if there is more than one. */
  contributors: readonly ModelDevice[];
}

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
  sleep: CanonicalSleep[];
  workouts: ModelWorkout[];
  samples: ShownSample[];
}

/** Derives a user's canonical values from the normalized layer and settings, without using the rules of the service. */
export function modelUser(
  normalized: Normalized,
  settings: ModelSettings,
  timezone: string,
  sampled: readonly string[],
): UserModel {
  const days = new LocalDays(timezone);
  const sleep = numberSleep(normalized.sleep, days);
  const workouts = dateWorkouts(normalized.workouts, days);
  const { devices } = normalized;
  const samples = new Map(devices.map((device) => [device, samplesByDate(device, normalized, days)]));
  const readings = new Map(
    devices.map((device) => [
      device,
      readingsOf(
        device,
        normalized,
        samples.get(device)!,
        sleep.filter((session) => session.device === device),
        workouts.filter((workout) => workout.device === device),
      ),
    ]),
  );
  const day = new Decider(devices, readings, samples, settings);
  const values = new Map<string, CanonicalValue>();
  for (const key of new Set([...readings.values()].flatMap((own) => [...own.keys()]))) {
    const [date, metricId] = key.split(' ') as [string, string];
    const metric = findMetric(metricId)!;
    const method = settings.methodOf(metric);
    const canonicalValue = method && day.decide(date, metric, method);
    if (canonicalValue) values.set(key, canonicalValue);
  }
  const canonicalSleep = keepSleep(sleep, settings);
  const canonicalWorkouts = keepWorkouts(workouts);
  addFromSessions(values, canonicalSleep, canonicalWorkouts, days);
  addDerived(values, day);
  return {
    days,
    canonicalValues: values,
    readings,
    sleep: canonicalSleep,
    workouts: canonicalWorkouts,
    samples: sampled.flatMap((metricId) => shownSamples(findMetric(metricId)!, day, values)),
  };
}

/** Decides between devices, date by date. */
class Decider {
  readonly #devices: readonly ModelDevice[];
  readonly #readings: ReadonlyMap<ModelDevice, DeviceReadings>;
  readonly #samples: ReadonlyMap<ModelDevice, ReadonlyMap<string, ReadonlyMap<string, readonly Sample[]>>>;
  readonly settings: ModelSettings;

  constructor(
    devices: readonly ModelDevice[],
    readings: ReadonlyMap<ModelDevice, DeviceReadings>,
    samples: ReadonlyMap<ModelDevice, ReadonlyMap<string, ReadonlyMap<string, readonly Sample[]>>>,
    settings: ModelSettings,
  ) {
    this.#devices = devices;
    this.#readings = readings;
    this.#samples = samples;
    this.settings = settings;
  }

  decide(date: string, metric: Metric, method: Method): CanonicalValue | null {
    const candidates = this.#takingPart(metric).flatMap((device) => {
      const reading = this.#readings.get(device)!.get(`${date} ${metric.id}`);
      return reading ? [{ device, micros: reading.micros }] : [];
    });
    if (candidates.length === 0) return null;
    if (method === 'merge') {
      const merged = this.merge(
        date,
        metric,
        candidates.map(({ device }) => device),
      );
      if (merged.length > 0) {
        const parts = candidates
          .map(({ device }) => device)
          .filter((device) => merged.some((stretch) => stretch.device === device));
        return canonicalValueOf(
          merged.reduce((sum, { micros }) => sum + micros, 0),
          parts,
        );
      }
    }
    const chosen = method === 'merge' ? metric.defaultMethod! : method;
    const voices = candidates.filter(
      ({ device }, at) => candidates.findIndex((other) => other.device.provider === device.provider) === at,
    );
    const values = voices.map(({ micros }) => micros);
    const everyone = voices.map(({ device }) => device);
    const sum = values.reduce((total, micros) => total + micros, 0);
    if (chosen === 'priority') return canonicalValueOf(values[0]!, [everyone[0]!]);
    if (chosen === 'sum') return canonicalValueOf(sum, everyone);
    if (chosen === 'avg') return canonicalValueOf(sum / values.length, everyone);
    const largest = Math.max(...values);
    return canonicalValueOf(largest, [everyone[values.indexOf(largest)]!]);
  }

  /** The intervals of a merged day. */
  merge(date: string, metric: Metric, devices: readonly ModelDevice[]): Stretch[] {
    return mergeDay(devices.map((device) => ({ device, samples: this.samplesOf(device, metric, date) })));
  }

  samplesOf(device: ModelDevice, { id }: Metric, date: string): readonly Sample[] {
    return this.#samples.get(device)!.get(id)?.get(date) ?? [];
  }

  /** Enabled devices with samples on a date, best rank first. */
  sampling(metric: Metric, date: string): ModelDevice[] {
    return this.#takingPart(metric).filter((device) => this.samplesOf(device, metric, date).length > 0);
  }

  /** Every date for which any device reports a value. */
  dates(): Set<string> {
    const keys = [...this.#readings.values()].flatMap((own) => [...own.keys()]);
    return new Set(keys.map((key) => key.split(' ')[0]!));
  }

  datesSampled({ id }: Metric): string[] {
    const dates = this.#devices.flatMap((device) => [...(this.#samples.get(device)!.get(id)?.keys() ?? [])]);
    return [...new Set(dates)];
  }

  #takingPart(metric: Metric): ModelDevice[] {
    return rankedFor(metric, this.#devices).filter(({ provider }) =>
      this.settings.takesPart(keyOf(metric), provider),
    );
  }
}

function canonicalValueOf(micros: number, parts: readonly ModelDevice[]): CanonicalValue {
  return {
    micros: Math.round(micros),
    source: parts[0]!,
    contributors: parts.length > 1 ? parts : [],
  };
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

/** The samples of each date. They come from the source of the day's value, else from the best device, or are merged from all devices. */
function shownSamples(
  metric: Metric,
  day: Decider,
  canonicalValues: ReadonlyMap<string, CanonicalValue>,
): ShownSample[] {
  const shown: ShownSample[] = [];
  for (const date of day.datesSampled(metric)) {
    const devices = day.sampling(metric, date);
    if (day.settings.methodOf(metric) === 'merge') {
      for (const { startMs, micros, device } of day.merge(date, metric, devices))
        shown.push({ atMs: startMs, metric: metric.id, micros, device, unitCode: null });
      continue;
    }
    const supplier = canonicalValues.get(`${date} ${metric.id}`)?.source;
    const device = devices.find((one) => one === supplier) ?? devices[0];
    if (!device) continue;
    for (const { atMs, micros, unitCode } of day.samplesOf(device, metric, date))
      shown.push({ atMs, metric: metric.id, micros, device, unitCode });
  }
  return shown;
}

/** The metrics in a daily response. */
export const dailyMetrics = {
  1: metrics.filter(({ form1Surfaces }) => form1Surfaces.includes('daily')).map(({ id }) => id),
  2: metrics.filter(({ form2Surfaces }) => form2Surfaces.includes('daily')).map(({ id }) => id),
};
