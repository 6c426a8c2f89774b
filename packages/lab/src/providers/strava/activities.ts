import type { Day, Workout } from '../../people/day.ts';
import type { Frame } from '../../provider.ts';
import type { Life } from '../life.ts';
import { activityId, dateOfActivity } from './activity-id.ts';
import { stateAfter, type ActivityState } from './edits.ts';
import { hiddenStart } from './stamps.ts';

/** A workout as the person uploaded it. */
export interface Activity {
  id: number;
  person: string;
  truth: Day;
  workout: Workout;
  /** Typed in by hand: nothing was measured. */
  isManual: boolean;
  isTrainer: boolean;
  beginsPrivate: boolean;
  /** When it began, or the second after midnight where the person hides that. */
  startsAt: number;
}

/** An activity as it is now. */
export interface SeenActivity extends Activity {
  state: ActivityState;
}

/** The activities of a date, in the order of time. */
export function activitiesOn(frame: Frame, life: Life, date: string): Activity[] {
  const truth = life.dayOf(date);
  const person = life.person.id;
  return truth.workouts.map((workout, place) => {
    const chance = (what: string): number => frame.chance(what, person, workout.key);
    const isManual = chance('manual') < 0.06;
    const isHidden = chance('hidden start') < 0.06;
    return {
      id: activityId(person, date, place),
      person,
      truth,
      workout,
      isManual,
      isTrainer: workout.sport === 'cycling' && !isManual && chance('trainer') < 0.2,
      beginsPrivate: chance('private') < 0.1,
      startsAt: isHidden ? hiddenStart(workout.start, truth.timezone) : workout.start,
    };
  });
}

/** As it is now for those who may see what is private, or for the others; null while it is not seen, and when it is deleted. */
export function seeActivity(frame: Frame, activity: Activity, seesPrivate: boolean): SeenActivity | null {
  const { person, workout } = activity;
  const seen = frame.visible({ person, kind: 'workout', key: workout.key }, workout.end);
  if (!seen) return null;
  const state = stateAfter(frame, activity, seen.revision);
  return isReadable(state, seesPrivate) ? { ...activity, state } : null;
}

/** Whether there is anything to read in this state. */
export function isReadable(state: ActivityState, seesPrivate: boolean): boolean {
  return !state.isDeleted && (seesPrivate || !state.isPrivate);
}

/** The activity with a number, as it is now. */
export function findActivity(
  frame: Frame,
  life: Life,
  id: number,
  seesPrivate: boolean,
): SeenActivity | null {
  const date = dateOfActivity(life.person.id, id);
  const found = date === null ? undefined : activitiesOn(frame, life, date).find((one) => one.id === id);
  return found ? seeActivity(frame, found, seesPrivate) : null;
}
