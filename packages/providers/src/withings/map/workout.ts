import { fieldsOf, idOf, kmOfMetres, mapped, numberOf } from '../../mapping/read.ts';
import type { BatchBuilder } from '../../mapping/batch-builder.ts';
import type { Documents } from '../../provider.ts';
import { sensed } from './sensed.ts';
import { isDoubtful, isEcho } from './origin.ts';
import { noSport, sports } from './sports.ts';
import { offsetIn } from './zone.ts';

/** Fields that must be requested by name. */
export const workoutFields = [
  'calories',
  'distance',
  'manual_calories',
  'manual_distance',
  'steps',
  'hr_average',
  'hr_max',
  'pause_duration',
  'pool_length',
  'strokes',
];

/** Maps workouts. Manual values count where nothing was measured. */
export function mapWorkouts(documents: Documents, batch: BatchBuilder): void {
  for (const fields of documents.map(fieldsOf)) {
    if (isEcho(fields) || isDoubtful(fields)) continue;
    const id = idOf(fields['id']);
    const category = numberOf(fields['category']);
    if (category === noSport) {
      batch.addDeletion('workout', id);
      continue;
    }
    const [start, end] = [numberOf(fields['startdate']), numberOf(fields['enddate'])];
    const startMs = mapped(start, (seconds) => seconds * 1000);
    const data = fieldsOf(fields['data']);
    const pause = numberOf(data['pause_duration']);
    batch.addWorkout({
      id,
      sport: sports[category ?? Number.NaN] ?? null,
      startMs,
      endMs: mapped(end, (seconds) => seconds * 1000),
      offset: offsetIn(fields['timezone'], startMs),
      values: {
        duration: start === null || end === null || pause === null ? null : (end - start - pause) / 60,
        active_calories: numberOf(data['calories']) ?? numberOf(data['manual_calories']),
        distance: kmOfMetres(data['distance']) ?? kmOfMetres(data['manual_distance']),
        steps: numberOf(data['steps']),
        heart_rate_avg: sensed(data['hr_average']),
        heart_rate_max: sensed(data['hr_max']),
        swimming_lap_length_m: sensed(data['pool_length']),
        swimming_stroke_count: numberOf(data['strokes']),
      },
    });
  }
}
