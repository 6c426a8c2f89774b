import { dateOf, fieldsOf, mapped, numberOf, textOf } from '../mapping/read.ts';
import type { Told } from '../mapping/told.ts';
import type { Documents } from '../provider.ts';
import { secondsOfDuration } from './wire.ts';

/** Maps daily activity, each under the device's date. */
export function mapActivity(documents: Documents, told: Told): void {
  for (const document of documents) {
    const day = fieldsOf(document);
    const date = dateOf(textOf(day['start_time'])?.slice(0, 10));
    told.daily(date, 'steps', numberOf(day['steps']));
    told.daily(
      date,
      'distance',
      mapped(numberOf(day['distance_from_steps']), (meters) => meters / 1000),
    );
    told.daily(date, 'active_calories', numberOf(day['active_calories']));
    // Includes energy at rest.
    told.daily(date, 'total_energy', numberOf(day['calories']));
    told.daily(date, 'active_time', minutesOf(day['active_duration']));
    told.daily(date, 'sedentary_time', minutesOf(day['inactive_duration']));
  }
}

function minutesOf(duration: unknown): number | null {
  return mapped(secondsOfDuration(duration), (seconds) => seconds / 60);
}
