import { dayMs } from '@tributary/domain';
import type { Stream } from '../provider.ts';
import { mapBody, readBody } from './body.ts';
import { findRecord, listRecords, pathPart } from './list-records.ts';
import { mapCycles } from './map-cycle.ts';
import { mapDeletedSleep, mapSleeps } from './map-sleep.ts';
import { mapWorkouts } from './map-workout.ts';
import { readSleep, readSleeps } from './read-sleep.ts';
import { mapSleepHeartRate, readSleepHeartRate } from './sleep-heart-rate.ts';

/** A few pages, because a failed piece is read again as a whole. */
const pieceDays = 60;

/** All of WHOOP's streams. A poll costs five calls: one for each collection, and one for the body. */
export const streams: readonly Stream[] = [
  {
    name: 'sleep',
    scopes: ['read:sleep'],
    read: readSleeps,
    readOne: readSleep,
    pieceDays,
    trailingDays: 3,
    map: mapSleeps,
    mapDeleted: mapDeletedSleep,
  },
  {
    name: 'cycle',
    scopes: ['read:cycles'],
    // Filtered by start, which for today's night is on the day before.
    read: (api, { fromMs, toMs }) => listRecords(api, '/cycle', { fromMs: fromMs - dayMs, toMs }),
    pieceDays,
    trailingDays: 3,
    map: mapCycles,
  },
  {
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
    mapDeleted: (id, batch) => batch.addDeletion('workout', id),
  },
  {
    name: 'body',
    scopes: ['read:body_measurement'],
    read: readBody,
    pieceDays: 3650,
    trailingDays: 0,
    map: mapBody,
  },
  {
    name: 'sleep_heart_rate',
    detailOf: 'sleep',
    scopes: ['read:sleep'],
    readOne: readSleepHeartRate,
    pieceDays,
    trailingDays: 0,
    map: mapSleepHeartRate,
  },
];
