import type { Day, Workout } from '../../world/people/day.ts';

/** The mutable part of an activity. */
export interface ActivityState {
  name: string;
  sportType: string;
  isPrivate: boolean;
  isDeleted: boolean;
  /** Seconds cropped from the end. */
  croppedSeconds: number;
}

/** A workout as the person uploaded it. */
export interface Activity {
  id: number;
  person: string;
  truth: Day;
  workout: Workout;
  /** Entered manually, so nothing was measured. */
  isManual: boolean;
  isTrainer: boolean;
  beginsPrivate: boolean;
  /** The start time, or one second after midnight if the person hides it. */
  startsAt: number;
}
