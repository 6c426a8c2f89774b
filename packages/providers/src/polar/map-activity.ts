import { dateOf, fieldsOf, mapped, numberOf, textOf } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { secondsOfDuration } from './wire.ts';

/** Maps daily activity, each under the device's date. */
export function mapActivity(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents) {
    const day = fieldsOf(document);
    const date = dateOf(textOf(day['start_time'])?.slice(0, 10));
    batch.addDaily(date, 'steps', numberOf(day['steps']));
    batch.addDaily(
      date,
      'distance',
      mapped(numberOf(day['distance_from_steps']), (meters) => meters / 1000),
    );
    batch.addDaily(date, 'active_calories', numberOf(day['active_calories']));
    // Includes energy at rest.
    batch.addDaily(date, 'total_energy', numberOf(day['calories']));
    batch.addDaily(date, 'active_time', minutesOf(day['active_duration']));
    batch.addDaily(date, 'sedentary_time', minutesOf(day['inactive_duration']));
  }
}

function minutesOf(duration: unknown): number | null {
  return mapped(secondsOfDuration(duration), (seconds) => seconds / 60);
}
