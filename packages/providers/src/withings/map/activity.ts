import { dateOf, fieldsOf, kmOfMetres, minutesOfSeconds, numberOf } from '../../mapping/read.ts';
import type { Told } from '../../mapping/told.ts';
import type { Documents } from '../../provider.ts';
import { sensed } from './sensed.ts';
import { isEchoOrNoDevice } from './origin.ts';

/** Fields that must be requested by name. */
export const activityFields = [
  'steps',
  'distance',
  'elevation',
  'soft',
  'moderate',
  'intense',
  'calories',
  'totalcalories',
  'hr_average',
  'hr_min',
  'hr_max',
];

/** Maps the daily summaries. `elevation` counts floors. */
export function mapActivity(documents: Documents, told: Told): void {
  for (const fields of documents.map(fieldsOf)) {
    if (isEchoOrNoDevice(fields)) continue;
    const date = dateOf(fields['date']);
    told.daily(date, 'steps', numberOf(fields['steps']));
    told.daily(date, 'distance', kmOfMetres(fields['distance']));
    told.daily(date, 'floors_climbed', numberOf(fields['elevation']));
    told.daily(date, 'low_intensity_activity', minutesOfSeconds(fields['soft']));
    told.daily(date, 'moderate_intensity_activity', minutesOfSeconds(fields['moderate']));
    told.daily(date, 'vigorous_intensity_activity', minutesOfSeconds(fields['intense']));
    told.daily(date, 'active_calories', numberOf(fields['calories']));
    told.daily(date, 'total_energy', numberOf(fields['totalcalories']));
    told.daily(date, 'heart_rate', sensed(fields['hr_average']));
    told.daily(date, 'heart_rate_min', sensed(fields['hr_min']));
    told.daily(date, 'heart_rate_max', sensed(fields['hr_max']));
  }
}
