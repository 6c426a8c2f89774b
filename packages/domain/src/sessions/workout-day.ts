import { findMetric } from '../catalog/catalog.ts';
import { toMicros } from '../samples/micros.ts';
import { clusterWorkouts, type WorkoutSession } from './cluster-workouts.ts';
import { distanceMetricOf, sportTypes } from './sport-types.ts';

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
    const id = distanceMetricOf(session.sport);
    const km = session.values['distance'];
    if (id === null || km === undefined) continue;
    const metric = findMetric(id)!;
    const distance = metric.unit === 'm' ? km * 1000 : km;
    values.set(metric.no, (values.get(metric.no) ?? 0) + toMicros(distance));
  }
  return values;
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
