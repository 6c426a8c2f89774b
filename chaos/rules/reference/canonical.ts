import { Calendar } from './calendar.ts';
import { choose, representedBy, type Chosen, type Method } from './choose.ts';
import { deviceDay, datesOf, wholeDay, type Aggregation, type DeviceDay } from './device-days.ts';
import { chooseMeasurement } from './measurements.ts';
import { byRank } from './ranks.ts';
import { averagedSleepDays, shownNights, sleepDays, type Night } from './sleep.ts';
import { collectDevices, type Batch, type Device, type Ranges } from './uploads.ts';
import { shownWorkouts, type Workout } from './workouts.ts';

/** The facts about a metric that `GET /v1/metrics` returns. */
export interface CatalogMetric {
  id: string;
  aggregation: Aggregation;
  precision: number;
  minimum: number;
  maximum: number;
  maximum_per_minute: number | null;
  consolidation: { key: string; default_method: Method; allowed_methods: Method[] } | null;
}

/** The body of a change of consolidation settings. */
export interface Settings {
  providers?: Record<string, boolean>;
  metrics?: Record<string, { method?: Method; providers?: Record<string, boolean> }>;
}

/** Everything that the API returns for one user, recomputed from the uploads. */
export interface Canonical {
  /** By date, then by metric. */
  days: Map<string, Map<string, Chosen>>;
  nights: Night[];
  workouts: Workout[];
  /** Number of device days, and of values that several devices reported. */
  deviceDays: number;
  contested: number;
}

const single = [
  'steps',
  'distance',
  'active_calories',
  'heart_rate',
  'heart_rate_min',
  'heart_rate_max',
  'resting_heart_rate',
  'heart_rate_variability_rmssd',
];
const measurements = [
  ['blood_pressure_systolic', 'blood_pressure_diastolic'],
  ['weight', 'body_fat_percentage'],
];
const sports: Record<string, { metric: string; perKm: number }> = {
  running: { metric: 'running', perKm: 1 },
  cycling: { metric: 'cycling', perKm: 1 },
  swimming: { metric: 'swimming', perKm: 1000 },
};
const sportMetrics = Object.values(sports).map(({ metric }) => metric);

/** All metrics that are compared. */
export const comparedMetrics = [
  ...single,
  ...measurements.flat(),
  'asleep',
  'deep_sleep',
  'light_sleep',
  'REM',
  ...sportMetrics,
  'workout_count',
];

/** The rules of docs/consolidation.md, applied to one user. */
export class Rules {
  readonly #catalog: ReadonlyMap<string, CatalogMetric>;
  readonly #settings: Settings;
  readonly #calendar: Calendar;

  constructor(catalog: ReadonlyMap<string, CatalogMetric>, settings: Settings, timezone: string) {
    this.#catalog = catalog;
    this.#settings = settings;
    this.#calendar = new Calendar(timezone);
  }

  apply(batches: readonly Batch[]): Canonical {
    const ranges: Ranges = this.#catalog;
    const devices = collectDevices(batches, ranges);
    const sleeping = devices.filter((device) => this.#isEnabled(device, 'asleep'));
    const nights = shownNights(sleeping, this.#calendar);
    const workouts = shownWorkouts(devices, this.#calendar);
    const days =
      this.#methodOf('asleep') === 'avg' ? averagedSleepDays(sleeping, this.#calendar) : sleepDays(nights);
    let [deviceDays, contested] = [0, 0];
    for (const date of datesOf(devices, this.#calendar)) {
      const values = valuesOf(days, date);
      const reported = new Map(
        [...single, ...measurements.flat(), ...sportMetrics].map((metric) => [
          metric,
          this.#reported(devices, metric, date),
        ]),
      );
      deviceDays += new Set([...reported.values()].flat().map(({ device }) => device)).size;
      contested += [...reported.values()].filter((some) => some.length > 1).length;
      for (const metric of [...single, ...sportMetrics]) {
        const chosen = choose(reported.get(metric)!, metric, this.#methodOf(metric), this.#canMerge(metric));
        if (chosen) values.set(metric, chosen);
      }
      for (const group of measurements) {
        const chosen = chooseMeasurement(
          group,
          (metric) => devices.filter((device) => this.#isEnabled(device, metric)),
          this.#catalog.get(group[0]!)!.aggregation,
          (metric) => this.#methodOf(metric),
          this.#calendar.day(date),
        );
        for (const [metric, value] of chosen) values.set(metric, value);
      }
      if (!values.has('workout_count') && devices.some((device) => hasData(device, this.#calendar, date)))
        values.set('workout_count', { value: 0, source: null, contributors: [], rules: new Set() });
    }
    this.#addWorkouts(days, devices, workouts);
    return { days, nights, workouts, deviceDays, contested };
  }

  /** The number of workouts follows from the workouts that the API returns. Daily distances of sports also follow the settings. */
  #addWorkouts(days: Canonical['days'], devices: readonly Device[], workouts: readonly Workout[]): void {
    for (const [date, ofDay] of Map.groupBy(workouts, (workout) => workout.date))
      valuesOf(days, date).set('workout_count', {
        value: ofDay.length,
        source: null,
        contributors: [],
        rules: rulesOf(ofDay),
      });
    for (const [sport, { metric, perKm }] of Object.entries(sports)) {
      const isEnabled = ({ device }: Workout) => this.#isEnabled(device, metric);
      const isOfSport = (one: Workout) => one.sport === sport && one.distance !== null && isEnabled(one);
      for (const [date, some] of Map.groupBy(workouts, (workout) => workout.date)) {
        const shown = some.filter(isOfSport);
        const sum = sumOfDistances(shown) * perKm;
        const own = some.every(isEnabled)
          ? null
          : this.#ownDistances(devices, { sport, metric, perKm, date });
        if (own && (shown.length === 0 || own.value >= sum)) valuesOf(days, date).set(metric, own);
        else if (shown.length > 0)
          valuesOf(days, date).set(metric, {
            value: sum,
            ...representedBy(shown.map(({ device }) => device).toSorted(byRank('workout'))[0]!),
            rules: rulesOf(shown),
          });
      }
    }
  }

  /** If a workout of an excluded device may hide those of others, what each device recorded is a value like others. */
  #ownDistances(
    devices: readonly Device[],
    { sport, metric, perKm, date }: { sport: string; metric: string; perKm: number; date: string },
  ): Chosen | null {
    const reported = this.#reported(devices, metric, date);
    const recorded = devices
      .filter((device) => this.#isEnabled(device, metric) && !reported.some((one) => one.device === device))
      .flatMap((device) => {
        const own = shownWorkouts([device], this.#calendar).filter(
          (one) => one.date === date && one.sport === sport && one.distance !== null,
        );
        return own.length === 0
          ? []
          : [wholeDay(device, sumOfDistances(own) * perKm, this.#calendar.day(date))];
      });
    return choose([...reported, ...recorded], metric, this.#methodOf(metric), this.#canMerge(metric));
  }

  #reported(devices: readonly Device[], metric: string, date: string): DeviceDay[] {
    const { aggregation } = this.#catalog.get(metric)!;
    return devices
      .filter((device) => this.#isEnabled(device, metric))
      .map((device) => deviceDay(device, metric, aggregation, this.#calendar.day(date)))
      .filter((day) => day !== null);
  }

  #isEnabled({ provider }: Device, metric: string): boolean {
    const key = this.#catalog.get(metric)!.consolidation!.key;
    const { providers, metrics } = this.#settings;
    return providers?.[provider] !== false && metrics?.[key]?.providers?.[provider] !== false;
  }

  #methodOf(metric: string): Method {
    const { key, default_method } = this.#catalog.get(metric)!.consolidation!;
    return this.#settings.metrics?.[key]?.method ?? default_method;
  }

  #canMerge(metric: string): boolean {
    return this.#catalog.get(metric)!.consolidation!.allowed_methods.includes('merge');
  }
}

const sumOfDistances = (some: readonly Workout[]): number =>
  some.reduce((sum, { distance }) => sum + distance!, 0);

const rulesOf = (some: readonly Workout[]): Chosen['rules'] =>
  new Set(some.some(({ isEcho }) => isEcho) ? ['echo'] : []);

function valuesOf(days: Canonical['days'], date: string): Map<string, Chosen> {
  const values = days.get(date) ?? new Map<string, Chosen>();
  days.set(date, values);
  return values;
}

/** Whether a device that could have recorded a workout reported anything about the day. */
function hasData(device: Device, calendar: Calendar, date: string): boolean {
  const { startMs, endMs } = calendar.day(date);
  return (
    canRecordWorkouts.has(device.kind) &&
    ([...device.totals.values()].some((some) => some.has(date)) ||
      [...device.sleep.values()].some(
        ({ end, minutes, stages }) =>
          (minutes ?? stages) !== undefined && calendar.dateOf(Date.parse(end)) === date,
      ) ||
      [...device.readings.values()].some((some) =>
        [...some.values()].some(
          (one) => one.startMs < endMs && (one.endMs > startMs || one.startMs >= startMs),
        ),
      ))
  );
}

const canRecordWorkouts = new Set(['watch', 'band', 'ring', 'phone', 'chest_strap', 'bike_computer']);
