import { dateOf, fieldsOf, kmOfMetres, minutesOfSeconds, numberOf } from '../../mapping/read.ts';
import type { BatchBuilder } from '../../mapping/batch-builder.ts';
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
export function mapActivity(documents: Documents, batch: BatchBuilder): void {
  for (const fields of documents.map(fieldsOf)) {
    if (isEchoOrNoDevice(fields)) continue;
    const date = dateOf(fields['date']);
    batch.addDaily(date, 'steps', numberOf(fields['steps']));
    batch.addDaily(date, 'distance', kmOfMetres(fields['distance']));
    batch.addDaily(date, 'floors_climbed', numberOf(fields['elevation']));
    batch.addDaily(date, 'low_intensity_activity', minutesOfSeconds(fields['soft']));
    batch.addDaily(date, 'moderate_intensity_activity', minutesOfSeconds(fields['moderate']));
    batch.addDaily(date, 'vigorous_intensity_activity', minutesOfSeconds(fields['intense']));
    batch.addDaily(date, 'active_calories', numberOf(fields['calories']));
    batch.addDaily(date, 'total_energy', numberOf(fields['totalcalories']));
    batch.addDaily(date, 'heart_rate', sensed(fields['hr_average']));
    batch.addDaily(date, 'heart_rate_min', sensed(fields['hr_min']));
    batch.addDaily(date, 'heart_rate_max', sensed(fields['hr_max']));
  }
}
