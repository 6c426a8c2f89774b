import type { Provider } from '../provider.ts';
import { failureOf } from './failure-of.ts';
import { oauth } from './oauth.ts';
import { push } from './push.ts';
import { streams } from './streams.ts';

/** WHOOP API v2. */
export const whoop: Provider = {
  id: 'whoop',
  name: 'WHOOP',
  kind: 'band',
  reads: [
    { category: 'Sleep', what: 'when and how long you sleep, and how deeply' },
    { category: 'Recovery', what: 'your resting heart rate, heart rate variability and recovery score' },
    { category: 'Days', what: 'your strain, energy and heart rate each day' },
    { category: 'Workouts', what: 'your workouts, with distance, energy and heart rate' },
    { category: 'Body', what: 'your height and weight as you entered them' },
  ],
  metrics: [
    'time_in_bed',
    'time_awake',
    'light_sleep',
    'deep_sleep',
    'REM',
    'sleep_respiratory_rate',
    'sleep_blood_oxygen',
    'sleep_skin_temperature',
    'device_sleep_score',
    'device_readiness_score',
    'resting_heart_rate',
    'heart_rate_variability_rmssd',
    'device_strain',
    'total_energy',
    'heart_rate',
    'heart_rate_max',
    'heart_rate_avg',
    'active_calories',
    'distance',
    'elevation_gain',
    'height',
    'weight',
  ],
  historyDays: 730,
  hosts: { api: 'https://api.prod.whoop.com' },
  limits: [
    { per: 'app', calls: 100, windowSeconds: 60 },
    { per: 'app', calls: 10_000, windowSeconds: 86_400 },
  ],
  cadence: { pollMinutes: { pushed: 360, unpushed: 30 }, lateHours: 30, silentHours: 96 },
  oauth,
  failureOf,
  streams,
  push,
};
