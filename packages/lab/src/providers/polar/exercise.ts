import type { Day, Workout } from '../../world/people/day.ts';
import type { Frame } from '../../provider.ts';
import { documentId } from '../document-id.ts';
import type { Life } from '../life.ts';
import { highestHeartRate } from './body.ts';
import { deviceTime, isoDuration, offsetMinutes } from './wire.ts';

/** Since mid-2026 some sports are only reported as others. Which ones is an assumption. */
const sports: Record<Workout['sport'], [string, string]> = {
  running: ['RUNNING', 'RUNNING'],
  cycling: ['CYCLING', 'CYCLING'],
  swimming: ['SWIMMING', 'SWIMMING'],
  walking: ['WALKING', 'WALKING'],
  strength: ['OTHER', 'STRENGTH_TRAINING'],
  yoga: ['OTHER', 'YOGA'],
};

export interface Exercise {
  id: string;
  day: Day;
  workout: Workout;
}

/** The workouts of a date, each with its id. */
export function exercisesOn({ person, dayOf }: Life, date: string): Exercise[] {
  const day = dayOf(date);
  return day.workouts.map((workout) => ({
    id: documentId(person.id, 'exercise', date, workout.key).slice(-10).toUpperCase(),
    day,
    workout,
  }));
}

/** The visible state of an exercise, or null. */
export function seeExercise(frame: Frame, { person }: Life, { workout }: Exercise) {
  return frame.visible({ person: person.id, kind: 'workout', key: workout.key }, workout.end);
}

/** An exercise on the wire, with zones and samples on request. A revision recalculates its energy. */
export function exerciseRecord(
  life: Life,
  { id, day, workout }: Exercise,
  revision: number,
  wanted: { samples: boolean; zones: boolean },
): Record<string, unknown> {
  const [sport, detailed] = sports[workout.sport];
  return {
    id,
    start_time: deviceTime(workout.start, day.timezone),
    start_time_utc_offset: offsetMinutes(workout.start, day.timezone),
    duration: isoDuration((workout.end - workout.start) / 1000),
    calories: workout.activeKcal + 5 * revision,
    ...(workout.distanceM !== null && { distance: workout.distanceM }),
    heart_rate: { average: workout.averageHeartRate, maximum: workout.maxHeartRate },
    sport,
    detailed_sport_info: detailed,
    training_load: Math.round(
      workout.zoneSeconds.reduce((sum, seconds, index) => sum + (seconds / 60) * (index + 1), 0),
    ),
    device: 'Polar Vantage V3',
    ...(wanted.zones && { heart_rate_zones: zonesOf(life, day, workout) }),
    ...(wanted.samples && {
      samples: [
        {
          'recording-rate': 10,
          'sample-type': '0',
          data: workout.heartRate.map(({ value }) => value).join(','),
        },
      ],
    }),
  };
}

function zonesOf({ person }: Life, day: Day, workout: Workout): object[] {
  const highest = highestHeartRate(person, day.date);
  return workout.zoneSeconds.map((seconds, index) => ({
    index: index + 1,
    'lower-limit': Math.round(highest * (0.5 + index / 10)),
    'upper-limit': Math.round(highest * (0.6 + index / 10)),
    'in-zone': isoDuration(seconds),
  }));
}
