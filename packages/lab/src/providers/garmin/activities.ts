import type { Day, Workout } from '../../world/people/day.ts';
import type { Person } from '../../world/people/person.ts';
import { digest, seconds, shareOf, summary } from './summary.ts';
import type { Row } from './summary.ts';

const types: Record<Workout['sport'], [type: string, name: string]> = {
  running: ['RUNNING', 'Running'],
  cycling: ['CYCLING', 'Cycling'],
  swimming: ['LAP_SWIMMING', 'Pool Swim'],
  strength: ['STRENGTH_TRAINING', 'Strength'],
  yoga: ['YOGA', 'Yoga'],
  walking: ['WALKING', 'Walking'],
};

/** A workout. Some are recorded as several sports: a parent with the totals, and children whose parts add up to it. */
export function activities(person: Person, day: Day, workout: Workout, revision: number): Row[] {
  const whole = activity(person, day, workout, revision, 0, 2, 'whole');
  if (!isMultiSport(person, workout)) return [whole];
  const children = [0, 1].map((part) => ({
    ...activity(person, day, workout, revision, part, part + 1, `part ${part}`),
    parentSummaryId: whole['summaryId'],
  }));
  return [{ ...whole, activityType: 'MULTI_SPORT', activityName: 'Multisport', isParent: true }, ...children];
}

/** The same with every sample, for activities that are not parents. The field names of samples are only known from clients. */
export function activityDetails(person: Person, day: Day, workout: Workout, revision: number): Row[] {
  const [main] = activities(person, day, workout, revision);
  if (!main || isMultiSport(person, workout)) return [];
  return [
    {
      summaryId: `${String(main['summaryId'])}-detail`,
      activityId: main['activityId'],
      summary: main,
      samples: workout.heartRate.map(({ at, value }) => ({
        startTimeInSeconds: seconds(at),
        heartRate: Math.round(value),
      })),
      laps: [{ startTimeInSeconds: seconds(workout.start) }],
    },
  ];
}

/** One in twelve of the longer ones. */
function isMultiSport(person: Person, workout: Workout): boolean {
  const isLong = workout.end - workout.start >= 1_800_000;
  return isLong && Number.parseInt(digest('multi', person.id, workout.key).slice(0, 6), 16) % 12 === 0;
}

/** The part of the workout as a range of halves: 0, 1 or 2. */
function activity(
  person: Person,
  day: Day,
  workout: Workout,
  revision: number,
  from: number,
  to: number,
  part: string,
): Row {
  const [activityType, activityName] = types[workout.sport];
  const share = (total: number) => shareOf(total, from, to, 2);
  const start = workout.start + shareOf(workout.end - workout.start, 0, from, 2);
  const durationInSeconds = share(seconds(workout.end - workout.start));
  const { calendarDate: _, ...common } = summary(person, day, start, 'activities', workout.key, part);
  const distanceInMeters = workout.distanceM === null ? null : share(workout.distanceM);
  return {
    ...common,
    activityId: Number.parseInt(digest('activity', person.id, workout.key, part).slice(0, 10), 16),
    activityType,
    activityName,
    durationInSeconds,
    ...(distanceInMeters === null
      ? {}
      : {
          distanceInMeters,
          averageSpeedInMetersPerSecond: Math.round((1000 * distanceInMeters) / durationInSeconds) / 1000,
        }),
    ...(workout.elevationGainM === null ? {} : { totalElevationGainInMeters: share(workout.elevationGainM) }),
    activeKilocalories: share(workout.activeKcal) + revision,
    averageHeartRateInBeatsPerMinute: Math.round(workout.averageHeartRate),
    maxHeartRateInBeatsPerMinute: Math.round(workout.maxHeartRate),
    deviceName: 'Forerunner',
    manual: revision > 0,
  };
}
