import type { Frame } from '../../provider.ts';
import type { Life } from '../life.ts';
import { activityId, dateOfActivity } from './activity-id.ts';
import { stateAfter } from './edits.ts';
import type { ActivityState } from './activity.ts';
import { hiddenStart } from './stamps.ts';
import type { Activity } from './activity.ts';

/** An activity in its current state. */
export interface SeenActivity extends Activity {
  state: ActivityState;
}

/** The activities of a date, in chronological order. */
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

/** The current state, with or without access to private activities. Null while it is not visible and after it is deleted. */
export function seeActivity(frame: Frame, activity: Activity, seesPrivate: boolean): SeenActivity | null {
  const { person, workout } = activity;
  const seen = frame.visible({ person, kind: 'workout', key: workout.key }, workout.end);
  if (!seen) return null;
  const state = stateAfter(frame, activity, seen.revision);
  return isReadable(state, seesPrivate) ? { ...activity, state } : null;
}

/** Whether the activity can be read in this state. */
export function isReadable(state: ActivityState, seesPrivate: boolean): boolean {
  return !state.isDeleted && (seesPrivate || !state.isPrivate);
}

/** The activity with an id, in its current state. */
export function findActivity(
  frame: Frame,
  life: Life,
  id: number,
  seesPrivate: boolean,
): SeenActivity | null {
  const date = dateOfActivity(life.person.id, id);
  const activity = date === null ? undefined : activitiesOn(frame, life, date).find((one) => one.id === id);
  return activity ? seeActivity(frame, activity, seesPrivate) : null;
}
