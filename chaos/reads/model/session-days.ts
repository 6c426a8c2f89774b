import { findMetric, type Metric } from '@tributary/domain';
import { canonicalValueOf, type CanonicalValue } from './canonical-value.ts';
import type { ModelDevice } from './normalized.ts';
import { inOrderOfRank } from './ranks.ts';
import { keyOf, type ModelSettings } from './settings.ts';
import { addedMetrics, mainMetrics, sleepMetrics, vitalMetrics } from './sleep-metrics.ts';
import type { CanonicalSleep } from './sleep.ts';
import { distanceIn, type ModelWorkout } from './workouts.ts';

/** The shown sleep of a date: its daily values by metric, and the device of the night. */
interface Night {
  values: Map<string, CanonicalValue>;
  device: ModelDevice | null;
}

/** The daily values that follow from the sessions that the API returns. */
export class SessionDays {
  readonly #nights = new Map<string, Night>();
  readonly #distances = new Map<string, CanonicalValue>();
  /** The devices of the workouts of each date. */
  readonly #recordersOn: ReadonlyMap<string, readonly ModelDevice[]>;
  readonly #settings: ModelSettings;

  constructor(sleep: readonly CanonicalSleep[], workouts: readonly ModelWorkout[], settings: ModelSettings) {
    this.#settings = settings;
    this.#recordersOn = new Map(
      [...Map.groupBy(workouts, ({ date }) => date)].map(([date, some]) => [
        date,
        some.map(({ device }) => device),
      ]),
    );
    for (const [date, sessions] of Map.groupBy(sleep, (session) => session.date))
      this.#nights.set(date, nightOf(sessions));
    const parts = workouts.flatMap((workout) => {
      const distance = distanceIn(workout);
      return distance && this.#isEnabled(findMetric(distance.metric)!, workout.device)
        ? [{ ...distance, device: workout.device, key: `${workout.date} ${distance.metric}` }]
        : [];
    });
    for (const [key, ofKey] of Map.groupBy(parts, (part) => part.key)) {
      const devices = inOrderOfRank([...new Set(ofKey.map(({ device }) => device))], 'workout');
      const micros = ofKey.reduce((sum, part) => sum + part.micros, 0);
      this.#distances.set(key, canonicalValueOf(micros, devices));
    }
  }

  /** `date metric` of every value, whether or not the settings allow it. */
  keys(): string[] {
    const ofNights = [...this.#nights].flatMap(([date, { values }]) =>
      [...values.keys()].map((metric) => `${date} ${metric}`),
    );
    return [...ofNights, ...this.#distances.keys()];
  }

  valueOf(date: string, metric: Metric, method: string): CanonicalValue | null {
    const distance = this.#distances.get(`${date} ${metric.id}`);
    if (distance) return distance;
    const value = method === 'priority' && this.#nights.get(date)?.values.get(metric.id);
    return value && this.#isEnabled(metric, value.source!) ? value : null;
  }

  /**
   * Whether what one device's own sessions say counts, though they are not all shown. Distances: only if a shown workout is of an excluded
   * device. Sleep: only on dates with shown sessions, and never stages.
   */
  countsOwn(date: string, metric: Metric, method: string): boolean {
    if (!sleepMetrics.has(metric.id))
      return (this.#recordersOn.get(date) ?? []).some((device) => !this.#isEnabled(metric, device));
    if (method !== 'priority') return true;
    return metric.group !== 'sleep_stages' && metric.id !== 'nap_time' && this.#nights.has(date);
  }

  /** The only device that a metric may come from, because it recorded the night. Null if any device may provide it. */
  nightDeviceFor(date: string, metric: Metric): ModelDevice | null {
    const night = this.#nights.get(date);
    if (!night?.device || !sleepMetrics.has(metric.id) || !this.#isEnabled(metric, night.device)) return null;
    if (metric.group === null) return null;
    const groups = [...night.values.keys()].map((id) => findMetric(id)!.group);
    return metric.group === 'sleep_stages' || groups.includes(metric.group) ? night.device : null;
  }

  #isEnabled(metric: Metric, { provider }: ModelDevice): boolean {
    return this.#settings.takesPart(keyOf(metric), provider);
  }
}

function nightOf(sessions: readonly CanonicalSleep[]): Night {
  const values: Night['values'] = new Map();
  const main = sessions.find(({ isMain }) => isMain) ?? null;
  const naps = sessions.filter((session) => session !== main).sort((a, b) => a.startMs - b.startMs);
  const set = (metric: string, from: readonly CanonicalSleep[], read: (one: CanonicalSleep) => Known) => {
    const known = from.flatMap((session) => {
      const value = read(session) ?? null;
      return value === null ? [] : [{ device: session.device, micros: Math.round(value * 1e6) }];
    });
    if (known.length === 0) return;
    const micros = known.reduce((sum, one) => sum + one.micros, 0);
    values.set(metric, canonicalValueOf(micros, [...new Set(known.map(({ device }) => device))]));
  };
  for (const [metric, field] of Object.entries(addedMetrics))
    if (!main || main.numbers[field] !== null)
      set(metric, main ? [main, ...naps] : naps, ({ numbers }) => numbers[field]);
  set('nap_time', naps, ({ numbers }) => numbers.asleep);
  const measured = main ?? (sessions.length === 1 ? sessions[0]! : null);
  if (main)
    for (const [metric, field] of Object.entries(mainMetrics))
      set(metric, [main], (one) => one.numbers[field]);
  if (measured)
    for (const metric of vitalMetrics) set(metric, [measured], (one) => one.content.vitals[metric]);
  return { values, device: measured?.device ?? null };
}

type Known = number | null | undefined;
