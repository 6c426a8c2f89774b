import { fieldsOf, instantOf, kmOfMetres, numberOf, textOf } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { kcalOf, recordOffsetOf } from './values.ts';

/** Workouts. One without a score has only its times and sport. */
export function mapWorkouts(documents: Documents, batch: BatchBuilder): void {
  for (const workout of documents.map(fieldsOf)) {
    const score = fieldsOf(workout['score']);
    batch.addWorkout({
      id: textOf(workout['id']),
      sport: textOf(workout['sport_name']),
      startMs: instantOf(workout['start']),
      endMs: instantOf(workout['end']),
      offset: recordOffsetOf(workout['timezone_offset']),
      values: {
        heart_rate_avg: numberOf(score['average_heart_rate']),
        heart_rate_max: numberOf(score['max_heart_rate']),
        active_calories: kcalOf(score['kilojoule']),
        distance: kmOfMetres(score['distance_meter']),
        elevation_gain: numberOf(score['altitude_gain_meter']),
      },
    });
  }
}
