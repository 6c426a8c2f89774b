import type { Scope } from '@tributary/contract';
import type { PushedStream, Span, UserApi } from '../provider.ts';
import { mapActivities, mapActivityDetails, mapUpdatedActivities } from './map-activities.ts';
import { mapDailies } from './map-dailies.ts';
import { mapCycles } from './map-cycles.ts';
import { mapEpochs } from './map-epochs.ts';
import { mapBloodPressures, mapBodyComps } from './map-measures.ts';
import { mapSleeps } from './map-sleeps.ts';
import { mapHrv, mapPulseOx, mapRespiration, mapStressDetails, mapUserMetrics } from './map-vitals.ts';

const health = { scopes: ['HEALTH_EXPORT'] };
const activity = { scopes: ['ACTIVITY_EXPORT'] };
/** Its permission is not documented in public. Garmin sends nothing that the user did not permit. */
const cycle = { optIn: 'reproductive_health', history: null } as const;

/** One stream for each key of a push, with the same name. */
export const streams: readonly PushedStream[] = [
  stream('dailies', mapDailies, health),
  stream('epochs', mapEpochs, health),
  stream('sleeps', mapSleeps, health),
  stream('hrv', mapHrv, health),
  stream('stressDetails', mapStressDetails, health),
  stream('pulseox', mapPulseOx, { ...health, history: 'pulseOx' }),
  stream('allDayRespiration', mapRespiration, { ...health, history: 'respiration' }),
  stream('userMetrics', mapUserMetrics, health),
  stream('bodyComps', mapBodyComps, health),
  stream('bloodPressures', mapBloodPressures, health),
  stream('activities', mapActivities, activity),
  stream('activityDetails', mapActivityDetails, activity),
  stream('manuallyUpdatedActivities', mapUpdatedActivities, { ...activity, history: null }),
  stream('mct', mapCycles, cycle),
];

interface StreamOptions {
  scopes?: readonly string[];
  optIn?: Scope;
  /** Its name in backfill requests. Null if it has no history of its own. */
  history?: string | null;
}

/** All data arrives by push, so there is nothing to read or poll. */
function stream(
  name: string,
  map: PushedStream['map'],
  { scopes, optIn, history = name }: StreamOptions,
): PushedStream {
  return {
    kind: 'pushed',
    name,
    ...(scopes && { scopes }),
    ...(optIn && { optIn }),
    requestHistory: history === null ? null : (api, span) => requestBackfill(api, history, span),
    readOne: null,
    pieceDays: 30,
    map,
    deletes: [],
  };
}

async function requestBackfill({ app, send }: UserApi, type: string, { fromMs, toMs }: Span): Promise<void> {
  await send({
    method: 'GET',
    url: `${app.hosts['apis']}/wellness-api/rest/backfill/${type}`,
    query: {
      summaryStartTimeInSeconds: Math.floor(fromMs / 1000),
      summaryEndTimeInSeconds: Math.floor(toMs / 1000),
    },
  });
}
