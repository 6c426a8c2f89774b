import { jsonOf, ProviderFailure } from '../failure.ts';
import type { Documents, ListedStream, UserApi } from '../provider.ts';
import { dailies, mapDailies } from './map-dailies.ts';
import { mapExercise } from './map-exercise.ts';
import { mapRollups, rollups } from './map-rollups.ts';
import { mapSamples, samples } from './map-samples.ts';
import { mapSleep } from './map-sleep.ts';
import { filterByDate, filterByInstant, pointsUrl, readDailyTotals, readPoints } from './read-points.ts';
import { activityScope, metricsScope, sleepScope } from './scopes.ts';

/** Sleep and exercise have smaller pages than all other types. */
const pageSizes = { sessions: 25, others: 10_000 };
/** Dates are requested with an extra day on each side, which must fit into the longest range. */
const spareDays = 3;
const shortRanges = new Set(['total-calories', 'active-minutes']);
const activitySamples = new Set(['vo2-max', 'run-vo2-max']);
/** Heart rate fills a page in half a day. */
const denseSamples: Record<string, number> = { 'heart-rate': 7, 'blood-glucose': 30 };
const bodySamples = new Set(['weight', 'body-fat', 'height']);

/** One stream for each data type, under Google's name of the type. */
export const streams: readonly ListedStream[] = [
  ...Object.keys(rollups).map(rollupStream),
  ...Object.keys(dailies).map(dailyStream),
  ...Object.keys(samples).map(sampleStream),
  {
    kind: 'listed',
    name: 'sleep',
    scopes: [sleepScope],
    pieceDays: 30,
    trailingDays: 3,
    // Sleep can only be filtered by its end.
    read: (api, span) =>
      readPoints(api, 'sleep', filterByInstant('sleep', 'interval.end_time', span), pageSizes.sessions),
    readOne: (api, id) => readSession(api, 'sleep', id),
    map: mapSleep,
    deletes: ['sleep'],
  },
  {
    kind: 'listed',
    name: 'exercise',
    scopes: [activityScope],
    pieceDays: 30,
    trailingDays: 2,
    // Exercises can only be filtered by local time.
    read: (api, span) =>
      readPoints(
        api,
        'exercise',
        filterByDate('exercise', 'interval.civil_start_time', span),
        pageSizes.sessions,
      ),
    readOne: (api, id) => readSession(api, 'exercise', id),
    map: mapExercise,
    deletes: ['workout'],
  },
];

function rollupStream(type: string): ListedStream {
  const mostDays = shortRanges.has(type) ? 14 : 90;
  return {
    kind: 'listed',
    name: type,
    scopes: [activityScope],
    pieceDays: mostDays - spareDays,
    trailingDays: 3,
    read: (api, span) => readDailyTotals(api, type, span, mostDays),
    readOne: null,
    map: (documents, batch) => mapRollups(type, documents, batch),
    deletes: [],
  };
}

function dailyStream(type: string): ListedStream {
  return {
    kind: 'listed',
    name: type,
    scopes: [type === 'daily-vo2-max' ? activityScope : metricsScope],
    pieceDays: 90,
    trailingDays: 3,
    read: (api, span) => readPoints(api, type, filterByDate(type, 'date', span), pageSizes.others),
    readOne: null,
    map: (documents, batch) => mapDailies(type, documents, batch),
    deletes: [],
  };
}

function sampleStream(type: string): ListedStream {
  return {
    kind: 'listed',
    name: type,
    scopes: [activitySamples.has(type) ? activityScope : metricsScope],
    pieceDays: denseSamples[type] ?? 90,
    trailingDays: bodySamples.has(type) ? 7 : 2,
    read: (api, span) =>
      readPoints(api, type, filterByInstant(type, 'sample_time.physical_time', span), pageSizes.others),
    readOne: null,
    map: (documents, batch) => mapSamples(type, documents, batch),
    deletes: [],
  };
}

async function readSession(api: UserApi, type: string, id: string): Promise<Documents> {
  try {
    const url = `${pointsUrl(api, type)}/${encodeURIComponent(id)}`;
    return [jsonOf(await api.send({ method: 'GET', url }))];
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'gone') return [];
    throw error;
  }
}
