import { dayMs } from '@tributary/domain';
import type { Stream } from '../provider.ts';
import { mapBody, readBody } from './body.ts';
import { findRecord, listRecords, pathPart } from './list-records.ts';
import { mapCycles } from './map-cycle.ts';
import { mapSleeps } from './map-sleep.ts';
import { mapWorkouts } from './map-workout.ts';
import { readSleep, readSleeps } from './read-sleep.ts';
import { mapSleepHeartRate, readSleepHeartRate } from './sleep-heart-rate.ts';

/** A few pages, because a failed piece is read again as a whole. */
const pieceDays = 60;

/** All of WHOOP's streams. A poll costs five calls: one for each collection, and one for the body. */
export const streams: readonly Stream[] = [
  {
    kind: 'listed',
    name: 'sleep',
    scopes: ['read:sleep'],
    read: readSleeps,
    readOne: readSleep,
    pieceDays,
    trailingDays: 3,
    map: mapSleeps,
    // Its recovery is a record with the same id.
    deletes: ['sleep', 'record'],
  },
  {
    kind: 'listed',
    name: 'cycle',
    scopes: ['read:cycles'],
    // Filtered by start, which for today's night is on the day before.
    read: (api, { fromMs, toMs }) => listRecords(api, '/cycle', { fromMs: fromMs - dayMs, toMs }),
    readOne: null,
    pieceDays,
    trailingDays: 3,
    map: mapCycles,
    deletes: [],
  },
  {
    kind: 'listed',
    name: 'workout',
    scopes: ['read:workout'],
    read: (api, span) => listRecords(api, '/activity/workout', span),
    readOne: async (api, id) => {
      const workout = await findRecord(api, `/activity/workout/${pathPart(id)}`);
      return workout ? [workout] : [];
    },
    pieceDays,
    trailingDays: 2,
    map: mapWorkouts,
    deletes: ['workout'],
  },
  {
    kind: 'listed',
    name: 'body',
    scopes: ['read:body_measurement'],
    read: readBody,
    readOne: null,
    pieceDays: 3650,
    trailingDays: 0,
    map: mapBody,
    deletes: [],
  },
  {
    kind: 'detail',
    name: 'sleep_heart_rate',
    detailOf: 'sleep',
    scopes: ['read:sleep'],
    readOne: readSleepHeartRate,
    map: mapSleepHeartRate,
    deletes: [],
  },
];
