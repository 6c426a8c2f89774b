import type { Day, Workout } from '../../world/people/day.ts';
import type { Frame } from '../../provider.ts';
import { documentId } from '../document-id.ts';
import type { Life } from '../life.ts';
import { offsetText, scoringMs } from './sleep.ts';
import { kilojoules, stampOf, strainOf } from './wire.ts';

const names: Record<Workout['sport'], string> = {
  running: 'running',
  cycling: 'cycling',
  swimming: 'swimming',
  walking: 'walking',
  strength: 'weightlifting',
  yoga: 'yoga',
};

export interface WorkoutEntry {
  id: string;
  key: string;
  truth: Day;
  workout: Workout;
}

/** The workouts of a date, in chronological order. */
export function keepWorkouts(life: Life, date: string): WorkoutEntry[] {
  const truth = life.dayOf(date);
  return truth.workouts.map((workout) => ({
    id: documentId(life.person.id, 'workout', date, workout.key),
    key: `${date} ${workout.key}`,
    truth,
    workout,
  }));
}

/** Whether the user deletes it in a second edit. */
export function isWorkoutDeleted({ id }: WorkoutEntry, revision: number): boolean {
  return revision >= 2 && Number.parseInt(id.slice(-1), 16) % 2 === 0;
}

/** A few workouts are never scored. */
export function isWorkoutUnscorable(frame: Frame, life: Life, { key }: WorkoutEntry): boolean {
  return frame.chance('unscorable', life.person.id, key) < 0.04;
}

/**
 * A workout on the wire. Null while it is not visible and after it is deleted. When the user edits a workout, its derived values are recalculated.
 */
export function workoutRecord(
  frame: Frame,
  life: Life,
  entry: WorkoutEntry,
  userId: string,
): Record<string, unknown> | null {
  const { workout, truth } = entry;
  const person = life.person.id;
  const seen = frame.visible({ person, kind: 'workout', key: entry.key }, workout.end);
  if (!seen || isWorkoutDeleted(entry, seen.revision)) return null;
  const isUnscorable = isWorkoutUnscorable(frame, life, entry);
  const score = isUnscorable
    ? null
    : frame.visible({ person, kind: 'workout score', key: entry.key }, workout.end + scoringMs);
  return {
    id: entry.id,
    user_id: Number(userId),
    created_at: stampOf(seen.createdAt),
    updated_at: stampOf(Math.max(seen.updatedAt, score?.updatedAt ?? 0)),
    start: stampOf(workout.start),
    end: stampOf(workout.end),
    timezone_offset: offsetText(workout.start, truth.timezone),
    sport_name: names[workout.sport],
    score_state: isUnscorable ? 'UNSCORABLE' : score ? 'SCORED' : 'PENDING_SCORE',
    ...(score && { score: workoutScore(workout, seen.revision + score.revision) }),
  };
}

function workoutScore(workout: Workout, revision: number): Record<string, unknown> {
  const [first, second, third, fourth, fifth] = workout.zoneSeconds;
  const inZones = first + second + third + fourth + fifth;
  const kcal = workout.activeKcal + 5 * revision;
  return {
    strain: strainOf(kcal),
    average_heart_rate: workout.averageHeartRate,
    max_heart_rate: workout.maxHeartRate,
    kilojoule: kilojoules(kcal),
    ...(workout.distanceM !== null && { distance_meter: workout.distanceM }),
    ...(workout.elevationGainM !== null && { altitude_gain_meter: workout.elevationGainM }),
    zone_durations: {
      zone_zero_milli: Math.max(0, workout.end - workout.start - inZones * 1000),
      zone_one_milli: first * 1000,
      zone_two_milli: second * 1000,
      zone_three_milli: third * 1000,
      zone_four_milli: fourth * 1000,
      zone_five_milli: fifth * 1000,
    },
  };
}
