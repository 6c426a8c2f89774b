import { traitsOf } from '../../world/people/traits.ts';
import type { Life } from '../life.ts';
import type { SeenActivity } from './activities.ts';

/** The seconds in each of five zones, or nothing without heart rate. The last zone has no upper bound, which is -1 as far as known. */
export function zonesOf({ person }: Life, { truth, workout, isManual }: SeenActivity): object[] {
  if (isManual) return [];
  const highest = traitsOf(person, truth.date).maxHeartRate;
  const bound = (zone: number): number => Math.round((0.5 + zone / 10) * highest);
  const buckets = workout.zoneSeconds.map((time, zone) => ({
    min: bound(zone),
    max: zone === 4 ? -1 : bound(zone + 1),
    time,
  }));
  return [{ type: 'heartrate', distribution_buckets: buckets }];
}
