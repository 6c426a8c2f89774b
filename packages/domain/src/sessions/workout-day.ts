import { findMetric } from '../catalog/catalog.ts';
import type { CanonicalValue } from '../day/canonical-month.ts';
import { toMicros } from '../samples/micros.ts';
import { clusterWorkouts, type WorkoutSession } from './cluster-workouts.ts';
import { distanceMetricOf, sportTypes, type SportType } from './sport-types.ts';

/** A workout with its values. */
export interface MeasuredWorkout extends WorkoutSession {
  /** Metric id → value in the catalog's unit. */
  readonly values: Readonly<Record<string, number>>;
}

const numberOf = (id: string) => findMetric(id)!.no;

/** All metrics that workouts can contribute to a device's day: the distances of sports. */
export const workoutDayMetrics: readonly number[] = [
  ...new Set(sportTypes.flatMap((sport) => distanceMetricOf(sport) ?? [])),
].map(numberOf);

/** The values that workouts of one device contribute to the day they start on. */
export function dayOfWorkouts(workouts: readonly MeasuredWorkout[]): Map<number, number> {
  const values = new Map<number, number>();
  for (const { session } of clusterWorkouts(workouts)) {
    const distance = distanceOf(session);
    if (distance) values.set(distance.metricNo, (values.get(distance.metricNo) ?? 0) + distance.micros);
  }
  return values;
}

/** A workout that is shown for a day. */
export interface ShownWorkout {
  readonly deviceNo: number;
  readonly startMs: number;
  readonly content: { readonly sport: SportType; readonly values: Readonly<Record<string, number>> };
}

/**
 * The distances that the shown workouts of a day have together, by sport. `counts` returns whether a device counts for a metric, and
 * `compare` sorts devices by rank.
 */
export function distancesOfShownWorkouts(
  workouts: readonly ShownWorkout[],
  counts: (metricNo: number, deviceNo: number) => boolean,
  compare: (a: number, b: number) => number,
): Map<number, CanonicalValue> {
  const sums = new Map<number, { micros: number; devices: Set<number> }>();
  for (const { deviceNo, content } of workouts.toSorted((a, b) => a.startMs - b.startMs)) {
    const distance = distanceOf(content);
    if (!distance || !counts(distance.metricNo, deviceNo)) continue;
    const sum = sums.get(distance.metricNo) ?? { micros: 0, devices: new Set() };
    sum.micros += distance.micros;
    sum.devices.add(deviceNo);
    sums.set(distance.metricNo, sum);
  }
  return new Map(
    [...sums].map(([metricNo, { micros, devices }]) => {
      const [source, ...others] = [...devices].sort(compare);
      return [
        metricNo,
        { micros, source: source!, contributors: others.length > 0 ? [source!, ...others] : [] },
      ];
    }),
  );
}

/** The distance of a workout as a value of the metric of its sport. */
function distanceOf({
  sport,
  values,
}: Pick<MeasuredWorkout, 'sport' | 'values'>): { metricNo: number; micros: number } | null {
  const id = distanceMetricOf(sport);
  const km = values['distance'];
  if (id === null || km === undefined) return null;
  const { no, unit } = findMetric(id)!;
  return { metricNo: no, micros: toMicros(unit === 'm' ? km * 1000 : km) };
}

/** All canonical values that are computed from the kept workouts of a day. */
export const canonicalWorkoutMetrics: readonly number[] = ['workout_count', 'exercise_energy'].map(numberOf);

/** The canonical values that are computed from the kept workouts of a day. */
export function canonicalWorkoutValues(
  workouts: readonly { values: Readonly<Record<string, number>> }[],
): Map<number, number> {
  const values = new Map<number, number>();
  if (workouts.length === 0) return values;
  values.set(numberOf('workout_count'), toMicros(workouts.length));
  const energies = workouts.flatMap(({ values: measured }) => measured['active_calories'] ?? []);
  if (energies.length > 0)
    values.set(
      numberOf('exercise_energy'),
      energies.reduce((sum, energy) => sum + toMicros(energy), 0),
    );
  return values;
}
