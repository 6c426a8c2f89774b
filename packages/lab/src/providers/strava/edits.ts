import type { Workout } from '../../world/people/day.ts';
import type { Frame } from '../../provider.ts';
import type { Activity } from './activity.ts';
import type { ActivityState } from './activity.ts';

/** Edits that users make to an activity. A crop sends no event. */
export type Edit = 'title' | 'type' | 'private' | 'crop' | 'delete';

const sportTypes: Record<Workout['sport'], string> = {
  running: 'Run',
  cycling: 'Ride',
  swimming: 'Swim',
  strength: 'WeightTraining',
  yoga: 'Yoga',
  walking: 'Walk',
};
const changedTypes: Partial<Record<string, string>> = { Run: 'TrailRun', Ride: 'GravelRide' };
const edits: readonly Edit[] = ['title', 'type', 'private', 'crop'];

/** The edit that turned the previous revision into this one. */
export function editOf(frame: Frame, activity: Activity, revision: number): Edit {
  const chance = (what: string): number =>
    frame.chance(what, activity.person, activity.workout.key, revision);
  if (revision >= 2 && chance('delete') < 0.4) return 'delete';
  const edit = edits[Math.floor(chance('edit') * edits.length)]!;
  return edit === 'type' && !changedTypes[firstType(activity)] ? 'title' : edit;
}

/** The state of an activity after all edits up to a revision. */
export function stateAfter(frame: Frame, activity: Activity, revision: number): ActivityState {
  const { workout, beginsPrivate } = activity;
  const sportType = firstType(activity);
  const time = workout.key.endsWith('morning') ? 'Morning' : 'Evening';
  const name = `${time} ${sportType}`;
  const state = { name, sportType, isPrivate: beginsPrivate, isDeleted: false, croppedSeconds: 0 };
  for (let number = 1; number <= revision; number += 1) {
    const edit = editOf(frame, activity, number);
    if (edit === 'title') state.name = `${name}, renamed ${number}`;
    // A second type edit reverts the first.
    if (edit === 'type')
      state.sportType = state.sportType === sportType ? changedTypes[sportType]! : sportType;
    if (edit === 'private') state.isPrivate = !state.isPrivate;
    if (edit === 'crop') state.croppedSeconds += 10;
    if (edit === 'delete') state.isDeleted = true;
  }
  return state;
}

function firstType({ workout, isTrainer }: Activity): string {
  return isTrainer ? 'VirtualRide' : sportTypes[workout.sport];
}
