import { dayMs } from '@tributary/domain';
import { fieldsOf, listOf } from '../mapping/read.ts';
import type { Documents, ListedStream, Span, UserApi } from '../provider.ts';
import { getJson } from './get-json.ts';
import { mapActivity } from './map-activity.ts';
import { mapBloodOxygen, mapCardioLoad, mapPhysicalInfo, mapSkinTemperature } from './map-body.ts';
import { mapExercise, startOfExercise } from './map-exercise.ts';
import { mapHeartRate } from './map-heart-rate.ts';
import { mapRecharge } from './map-recharge.ts';
import { mapSleep } from './map-sleep.ts';
import { readHeartRate, readHeartRates } from './read-heart-rate.ts';
import { readNights, readRecharge, readRecharges } from './read-nights.ts';
import { availableWindows } from './windows.ts';

/** With an extra day on each side they fill the longest window. */
const pieceDays = 25;
const yearDays = 365;
/** How long exercises are available after their upload. */
const exerciseDays = 30;

/** All of Polar's streams. There are no deletions. */
export const streams: readonly ListedStream[] = [
  {
    kind: 'listed',
    name: 'activity',
    pieceDays,
    trailingDays: 3,
    read: (api, span) => readWindows(api, span, '/users/activities', yearDays),
    readOne: (api, date) => readAt(api, `/users/activities/${encodeURIComponent(date)}`),
    map: mapActivity,
    deletes: [],
  },
  {
    kind: 'listed',
    name: 'sleep',
    pieceDays,
    trailingDays: 3,
    read: readNights,
    readOne: (api, date) => readAt(api, `/users/sleep/${encodeURIComponent(date)}`),
    map: mapSleep,
    deletes: [],
  },
  {
    kind: 'listed',
    name: 'nightly-recharge',
    pieceDays,
    trailingDays: 3,
    read: readRecharges,
    readOne: readRecharge,
    map: mapRecharge,
    deletes: [],
  },
  {
    kind: 'listed',
    name: 'heart-rate',
    pieceDays,
    trailingDays: 3,
    read: readHeartRates,
    readOne: readHeartRate,
    map: mapHeartRate,
    deletes: [],
  },
  {
    kind: 'listed',
    name: 'exercises',
    pieceDays,
    // They may be uploaded long after they took place.
    trailingDays: 14,
    read: readExercises,
    readOne: (api, id) => readAt(api, `/exercises/${encodeURIComponent(id)}`, { samples: 'true' }),
    map: mapExercise,
    deletes: [],
  },
  {
    kind: 'listed',
    name: 'physical-info',
    pieceDays,
    trailingDays: 1,
    read: readPhysicalInfo,
    readOne: null,
    map: mapPhysicalInfo,
    deletes: [],
  },
  {
    kind: 'listed',
    name: 'cardio-load',
    pieceDays,
    trailingDays: 3,
    read: (api, span) => readWindows(api, span, '/users/cardio-load/date'),
    readOne: null,
    map: mapCardioLoad,
    deletes: [],
  },
  {
    kind: 'listed',
    name: 'skin-temperature',
    pieceDays,
    trailingDays: 3,
    read: (api, span) => readWindows(api, span, '/users/biosensing/skintemperature'),
    readOne: null,
    map: mapSkinTemperature,
    deletes: [],
  },
  {
    kind: 'listed',
    name: 'blood-oxygen',
    pieceDays,
    trailingDays: 3,
    read: (api, span) => readWindows(api, span, '/users/biosensing/spo2'),
    readOne: null,
    map: mapBloodOxygen,
    deletes: [],
  },
];

async function* readWindows(
  api: UserApi,
  span: Span,
  path: string,
  daysBack?: number,
): AsyncGenerator<Documents> {
  for (const window of availableWindows(span, api.now(), daysBack)) {
    const documents = listOf(await getJson(api, path, { ...window }));
    if (documents.length > 0) yield documents;
  }
}

async function readAt(api: UserApi, path: string, query?: Record<string, string>): Promise<Documents> {
  const document = await getJson(api, path, query);
  return document === null ? [] : [document];
}

/** All available exercises are returned at once. */
async function* readExercises(api: UserApi, { fromMs, toMs }: Span): AsyncGenerator<Documents> {
  // A recent upload may contain an exercise from that long ago.
  if (toMs < api.now() - 2 * exerciseDays * dayMs) return;
  const documents = listOf(await getJson(api, '/exercises', { samples: 'true' })).filter((document) => {
    const startMs = startOfExercise(fieldsOf(document));
    return startMs !== null && fromMs <= startMs && startMs < toMs;
  });
  if (documents.length > 0) yield documents;
}

/** Body data has no history, so only the current state is read. */
async function* readPhysicalInfo(api: UserApi, { toMs }: Span): AsyncGenerator<Documents> {
  if (toMs < api.now() - dayMs) return;
  const documents = await readAt(api, '/users/physical-info');
  if (documents.length > 0) yield documents;
}
