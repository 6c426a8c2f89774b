import type { Stream } from '../provider.ts';
import { mapActivity } from './map/activity.ts';
import { mapIntraday } from './map/intraday.ts';
import { mapMeasures } from './map/measures.ts';
import { mapSleep } from './map/sleep.ts';
import { mapWorkouts } from './map/workout.ts';
import { readIntraday } from './read-intraday.ts';
import { readActivity, readMeasures, readWorkouts } from './read-lists.ts';
import { readSleep } from './read-sleep.ts';

const activity = ['user.activity'];

/** Withings streams, by kind. */
export const streams: readonly Stream[] = [
  {
    name: 'measures',
    scopes: ['user.metrics'],
    read: readMeasures,
    pieceDays: 90,
    trailingDays: 7,
    map: mapMeasures,
  },
  {
    name: 'activity',
    scopes: activity,
    read: readActivity,
    pieceDays: 90,
    trailingDays: 3,
    map: mapActivity,
  },
  {
    name: 'intraday',
    scopes: activity,
    read: readIntraday,
    pieceDays: 7,
    trailingDays: 2,
    map: mapIntraday,
  },
  {
    name: 'workouts',
    scopes: activity,
    read: readWorkouts,
    pieceDays: 90,
    trailingDays: 2,
    map: mapWorkouts,
  },
  { name: 'sleep', scopes: activity, read: readSleep, pieceDays: 7, trailingDays: 3, map: mapSleep },
];
