import { dateOf, fieldsOf, kmOfMetres, minutesOfSeconds, numberOf, type Fields } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { readRegularSeries } from './regular-series.ts';

/** A ring that is not worn reports less energy than a body at rest. */
const leastMet = 0.8;

/** Daily totals from 04:00 to 04:00. Those of today grow. */
export function mapActivity(documents: Documents, batch: BatchBuilder): void {
  for (const document of documents) {
    const activity = fieldsOf(document);
    const date = dateOf(activity['day']);
    batch.addDaily(date, 'steps', numberOf(activity['steps']));
    batch.addDaily(date, 'distance', kmOfMetres(activity['equivalent_walking_distance']));
    batch.addDaily(date, 'active_calories', numberOf(activity['active_calories']));
    batch.addDaily(date, 'resting_energy', restingEnergyOf(activity));
    batch.addDaily(date, 'low_intensity_activity', minutesOfSeconds(activity['low_activity_time']));
    batch.addDaily(date, 'moderate_intensity_activity', minutesOfSeconds(activity['medium_activity_time']));
    batch.addDaily(date, 'vigorous_intensity_activity', minutesOfSeconds(activity['high_activity_time']));
    batch.addDaily(date, 'sedentary_time', minutesOfSeconds(activity['sedentary_time']));
    batch.addDaily(date, 'wear_time', wearMinutesOf(activity));
    batch.addDaily(date, 'device_activity_score', numberOf(activity['score']));
    const { points, offset } = readRegularSeries(activity['met']);
    const worn = points.filter(([, met]) => met !== null && met !== undefined && met >= leastMet);
    batch.addSeries({ metric: 'average_met', points: worn, offset });
  }
}

function restingEnergyOf(activity: Fields): number | null {
  const total = numberOf(activity['total_calories']);
  const active = numberOf(activity['active_calories']);
  return total === null || active === null || total < active ? null : total - active;
}

/** The observed part of the day. Only `non_wear_time` is not enough, because the rest of today has not been worn yet. */
function wearMinutesOf(activity: Fields): number | null {
  const parts = ['high', 'medium', 'low'].map((part) => `${part}_activity_time`);
  const minutes = [...parts, 'sedentary_time', 'resting_time'].map((name) =>
    minutesOfSeconds(activity[name]),
  );
  return minutes.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0);
}
