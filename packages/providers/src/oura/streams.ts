import type { ListedStream } from '../provider.ts';
import { mapActivity } from './map-activity.ts';
import {
  mapCardiovascularAge,
  mapDailyReadiness,
  mapDailyResilience,
  mapDailySleep,
  mapDailySpo2,
  mapDailyStress,
  mapVo2Max,
} from './map-daily.ts';
import { mapHeartRate } from './map-heart-rate.ts';
import { mapSleep } from './map-sleep.ts';
import { mapWorkout } from './map-workout.ts';
import { daysOf, readCollection, readDocument } from './read-collection.ts';
import { readHeartRate } from './read-heart-rate.ts';
import { readSleep, readSleepDay } from './read-sleep.ts';

/** Oura's streams, under the names that its pushes use. */
export const streams: readonly ListedStream[] = [
  {
    kind: 'listed',
    name: 'sleep',
    scopes: ['daily'],
    read: readSleep,
    readOne: readSleepDay,
    pieceDays: 30,
    trailingDays: 3,
    map: mapSleep,
    deletes: ['sleep'],
  },
  collection('daily_activity', ['daily'], mapActivity),
  collection('daily_sleep', ['daily'], mapDailySleep),
  collection('daily_readiness', ['daily'], mapDailyReadiness),
  collection('daily_spo2', ['spo2Daily', 'spo2'], mapDailySpo2),
  collection('daily_stress', ['stress'], mapDailyStress),
  collection('daily_resilience', ['stress'], mapDailyResilience),
  collection('daily_cardiovascular_age', ['heart_health'], mapCardiovascularAge),
  collection('vo2_max', ['heart_health'], mapVo2Max, 'vO2_max'),
  {
    ...collection('workout', ['workout'], mapWorkout),
    deletes: ['workout'],
  },
  {
    kind: 'listed',
    name: 'heartrate',
    scopes: ['heartrate'],
    read: readHeartRate,
    readOne: null,
    // Longer windows fail.
    pieceDays: 30,
    // There are no pushes, and a ring stores about a week until it syncs with its phone.
    trailingDays: 7,
    map: mapHeartRate,
    deletes: [],
  },
];

/** A collection that is requested by day and has one document per id. */
function collection(
  name: string,
  scopes: readonly string[],
  map: ListedStream['map'],
  path = name,
): ListedStream {
  return {
    kind: 'listed',
    name,
    scopes,
    read: (api, span) => readCollection(api, path, daysOf(span)),
    readOne: (api, id) => readDocument(api, path, id),
    pieceDays: 90,
    trailingDays: 3,
    map,
    deletes: [],
  };
}
