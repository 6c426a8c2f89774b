import type { Workout } from '../../world/people/day.ts';
import { documentId } from '../document-id.ts';
import { isoAt } from '../local-time.ts';
import type { Life } from '../life.ts';
import type { DocumentState, OuraDocument } from './document-state.ts';

const words: Record<Workout['sport'], string> = {
  running: 'running',
  cycling: 'cycling',
  swimming: 'swimming',
  walking: 'walking',
  strength: 'strength_training',
  yoga: 'yoga',
};

/** Workouts, without any heart rate. */
export function keepWorkout(life: Life, date: string): DocumentState[] {
  const truth = life.dayOf(date);
  return truth.workouts.map((workout) => {
    const id = documentId(life.person.id, 'workout', date, workout.key);
    return {
      id,
      day: date,
      key: `${date} ${workout.key}`,
      endedAt: workout.end,
      state: 0,
      toDocument: (revision) => ({ id, day: date, ...workoutDocument(workout, truth.timezone, revision) }),
    };
  });
}

/** A workout with Oura's names. When the user confirms a detected workout, its energy is estimated again. */
function workoutDocument(
  workout: Workout,
  timezone: string,
  revision: number,
): Omit<OuraDocument, 'id' | 'day'> {
  return {
    activity: words[workout.sport],
    start_datetime: isoAt(workout.start, timezone),
    end_datetime: isoAt(workout.end, timezone),
    calories: workout.activeKcal + 5 * revision,
    distance: workout.distanceM,
    intensity: intensityOf(workout),
    source: revision === 0 ? 'autodetected' : 'confirmed',
  };
}

function intensityOf(workout: Workout): string {
  const whole = workout.zoneSeconds.reduce((sum, seconds) => sum + seconds, 0);
  const [, , third, fourth, fifth] = workout.zoneSeconds;
  if (fourth + fifth > whole / 4) return 'hard';
  return third + fourth + fifth > whole / 4 ? 'moderate' : 'easy';
}
