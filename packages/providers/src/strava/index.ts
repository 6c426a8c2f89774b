import type { Provider } from '../provider.ts';
import { failureOf } from './failure-of.ts';
import { mapActivities } from './map-activity.ts';
import { oauth } from './oauth.ts';
import { push } from './push.ts';
import { readActivities, readActivity } from './read-activities.ts';

/** Strava API v3: workouts only. */
export const strava: Provider = {
  id: 'strava',
  name: 'Strava',
  kind: 'other',
  reads: [
    { category: 'Workouts', what: 'your activities: sport, name, time, distance, elevation gain and energy' },
    { category: 'Heart rate', what: 'your heart rate during activities' },
    { category: 'Private activities', what: 'activities that only you can see, if you allow it' },
  ],
  metrics: [
    'distance',
    'elevation_gain',
    'active_calories',
    'heart_rate_avg',
    'heart_rate_max',
    'avg_speed_kmh',
    'avg_pace_seconds_per_km',
    'running_speed',
    'running_power',
    'running_cadence',
    'cycling_speed',
    'cycling_power',
    'cycling_cadence',
  ],
  // Each activity costs two calls of a thousand per day for all users.
  historyDays: 90,
  hosts: { www: 'https://www.strava.com' },
  settings: [
    {
      name: 'signed_pushes',
      about: '"false" if Strava does not sign pushes to this app; default "true"',
    },
  ],
  // The read limits, because the service only reads. The overall limits are twice as high.
  limits: [
    { per: 'app', calls: 100, windowSeconds: 900 },
    { per: 'app', calls: 1000, windowSeconds: 86_400 },
  ],
  cadence: { pollMinutes: { pushed: 1440, unpushed: 180 }, lateHours: 14 * 24, silentHours: 60 * 24 },
  oauth,
  failureOf,
  streams: [
    {
      kind: 'listed',
      name: 'activity',
      scopes: ['activity:read', 'activity:read_all'],
      read: readActivities,
      readOne: readActivity,
      // Small enough to be read within the calls of a quarter-hour.
      pieceDays: 14,
      // A typical batch is a dozen activities.
      daysPerRead: 2,
      trailingDays: 2,
      map: mapActivities,
      // Its averages are records with the same id.
      deletes: ['workout', 'record'],
    },
  ],
  push,
};
