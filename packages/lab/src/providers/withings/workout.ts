import type { Day, Workout } from '../../world/people/day.ts';
import type { Visible } from '../../provider.ts';
import { fourZones } from './activity.ts';
import type { Values } from './activity.ts';
import { idOf } from './ids.ts';

const categories: Record<Workout['sport'], number> = {
  walking: 1,
  running: 2,
  cycling: 6,
  swimming: 7,
  strength: 16,
  yoga: 28,
};
const poolM = 25;
const metresAFloor = 3;

/** A workout: fields that are always present, and `data` fields that must be requested by name. */
export function workoutSeries(
  personId: string,
  day: Day,
  workout: Workout,
  seen: Visible,
): { always: object; named: Values } {
  return {
    always: {
      id: idOf('workout', personId, workout.key),
      category: categories[workout.sport],
      startdate: Math.floor(workout.start / 1000),
      enddate: Math.floor(workout.end / 1000),
      timezone: day.timezone,
      date: day.date,
      modified: Math.floor(seen.updatedAt / 1000),
      // A revision is a manual correction by the user.
      attrib: seen.revision > 0 ? 2 : 0,
    },
    named: {
      calories: Math.round(workout.activeKcal) + seen.revision,
      ...(workout.distanceM === null ? {} : { distance: Math.round(workout.distanceM) }),
      ...(workout.elevationGainM === null
        ? {}
        : { elevation: Math.round(workout.elevationGainM / metresAFloor) }),
      hr_average: Math.round(workout.averageHeartRate),
      hr_min: Math.round(Math.min(...workout.heartRate.map((sample) => sample.value))),
      hr_max: Math.round(workout.maxHeartRate),
      ...fourZones(workout.zoneSeconds),
      pause_duration: 0,
      ...(workout.sport === 'swimming' && workout.distanceM !== null
        ? { pool_length: poolM, pool_laps: Math.round(workout.distanceM / poolM) }
        : {}),
    },
  };
}
