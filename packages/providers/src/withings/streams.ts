import type { ListedStream } from '../provider.ts';
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
export const streams: readonly ListedStream[] = [
  {
    kind: 'listed',
    name: 'measures',
    scopes: ['user.metrics'],
    read: readMeasures,
    readOne: null,
    pieceDays: 90,
    trailingDays: 7,
    map: mapMeasures,
    deletes: [],
  },
  {
    kind: 'listed',
    name: 'activity',
    scopes: activity,
    read: readActivity,
    readOne: null,
    pieceDays: 90,
    trailingDays: 3,
    map: mapActivity,
    deletes: [],
  },
  {
    kind: 'listed',
    name: 'intraday',
    scopes: activity,
    read: readIntraday,
    readOne: null,
    pieceDays: 7,
    trailingDays: 2,
    map: mapIntraday,
    deletes: [],
  },
  {
    kind: 'listed',
    name: 'workouts',
    scopes: activity,
    read: readWorkouts,
    readOne: null,
    pieceDays: 90,
    trailingDays: 2,
    map: mapWorkouts,
    deletes: [],
  },
  {
    kind: 'listed',
    name: 'sleep',
    scopes: activity,
    read: readSleep,
    readOne: null,
    pieceDays: 7,
    trailingDays: 3,
    map: mapSleep,
    deletes: [],
  },
];
