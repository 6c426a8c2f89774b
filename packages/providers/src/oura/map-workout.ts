import { fieldsOf, idOf, instantOf, kmOfMetres, numberOf, offsetOf, textOf } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';

/** Workouts, which have no heart rate at Oura. */
export function mapWorkout(documents: Documents, batch: BatchBuilder): void {
  for (const workout of documents.map(fieldsOf))
    batch.addWorkout({
      id: idOf(workout['id']),
      sport: textOf(workout['activity']),
      startMs: instantOf(workout['start_datetime']),
      endMs: instantOf(workout['end_datetime']),
      offset: offsetOf(workout['start_datetime']),
      values: {
        active_calories: numberOf(workout['calories']),
        distance: kmOfMetres(workout['distance']),
      },
    });
}
