import { fieldsOf, listOf } from '../mapping/read.ts';
import type { Documents, Span, Stream, UserApi } from '../provider.ts';
import { getJson } from './get-json.ts';
import { mapActivity } from './map-activity.ts';
import { mapBloodOxygen, mapCardioLoad, mapPhysicalInfo, mapSkinTemperature } from './map-body.ts';
import { mapExercise, startOfExercise } from './map-exercise.ts';
import { mapHeartRate } from './map-heart-rate.ts';
import { mapRecharge } from './map-recharge.ts';
import { mapSleep } from './map-sleep.ts';
import { readHeartRate, readHeartRates } from './read-heart-rate.ts';
import { readNights, readRecharge, readRecharges } from './read-nights.ts';
import { windowsTold } from './windows.ts';

const dayMs = 86_400_000;
/** With a day more at each side they fill the longest window. */
const pieceDays = 25;
const yearDays = 365;
/** Exercises are kept for so long after they were uploaded. */
const exerciseDays = 30;

/** Everything that Polar tells. Nothing is ever taken back. */
export const streams: readonly Stream[] = [
  {
    name: 'activity',
    pieceDays,
    trailingDays: 3,
    read: (api, span) => readWindows(api, span, '/users/activities', yearDays),
    readOne: (api, date) => readAt(api, `/users/activities/${encodeURIComponent(date)}`),
    map: mapActivity,
  },
  {
    name: 'sleep',
    pieceDays,
    trailingDays: 3,
    read: readNights,
    readOne: (api, date) => readAt(api, `/users/sleep/${encodeURIComponent(date)}`),
    map: mapSleep,
  },
  {
    name: 'nightly-recharge',
    pieceDays,
    trailingDays: 3,
    read: readRecharges,
    readOne: readRecharge,
    map: mapRecharge,
  },
  {
    name: 'heart-rate',
    pieceDays,
    trailingDays: 3,
    read: readHeartRates,
    readOne: readHeartRate,
    map: mapHeartRate,
  },
  {
    name: 'exercises',
    pieceDays,
    // They may be uploaded long after they took place.
    trailingDays: 14,
    read: readExercises,
    readOne: (api, id) => readAt(api, `/exercises/${encodeURIComponent(id)}`, { samples: 'true' }),
    map: mapExercise,
  },
  { name: 'physical-info', pieceDays, trailingDays: 1, read: readPhysicalInfo, map: mapPhysicalInfo },
  {
    name: 'cardio-load',
    pieceDays,
    trailingDays: 3,
    read: (api, span) => readWindows(api, span, '/users/cardio-load/date'),
    map: mapCardioLoad,
  },
  {
    name: 'skin-temperature',
    pieceDays,
    trailingDays: 3,
    read: (api, span) => readWindows(api, span, '/users/biosensing/skintemperature'),
    map: mapSkinTemperature,
  },
  {
    name: 'blood-oxygen',
    pieceDays,
    trailingDays: 3,
    read: (api, span) => readWindows(api, span, '/users/biosensing/spo2'),
    map: mapBloodOxygen,
  },
];

async function* readWindows(
  api: UserApi,
  span: Span,
  path: string,
  daysBack?: number,
): AsyncGenerator<Documents> {
  for (const window of windowsTold(span, api.now(), daysBack)) {
    const documents = listOf(await getJson(api, path, { ...window }));
    if (documents.length > 0) yield documents;
  }
}

async function readAt(api: UserApi, path: string, query?: Record<string, string>): Promise<Documents> {
  const document = await getJson(api, path, query);
  return document === null ? [] : [document];
}

/** All that are kept are told at once. */
async function* readExercises(api: UserApi, { fromMs, toMs }: Span): AsyncGenerator<Documents> {
  // What was uploaded lately may have taken place as long before.
  if (toMs < api.now() - 2 * exerciseDays * dayMs) return;
  const documents = listOf(await getJson(api, '/exercises', { samples: 'true' })).filter((document) => {
    const startMs = startOfExercise(fieldsOf(document));
    return startMs !== null && fromMs <= startMs && startMs < toMs;
  });
  if (documents.length > 0) yield documents;
}

/** There is no history of the body: it is asked for only as of now. */
async function* readPhysicalInfo(api: UserApi, { toMs }: Span): AsyncGenerator<Documents> {
  if (toMs < api.now() - dayMs) return;
  const documents = await readAt(api, '/users/physical-info');
  if (documents.length > 0) yield documents;
}
