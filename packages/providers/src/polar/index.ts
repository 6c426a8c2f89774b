import type { Provider } from '../provider.ts';
import { failureOf } from './failure-of.ts';
import { oauth } from './oauth.ts';
import { push } from './push.ts';
import { streams } from './streams.ts';

/** Polar AccessLink v3. */
export const polar: Provider = {
  id: 'polar',
  name: 'Polar',
  kind: 'watch',
  reads: [
    { category: 'Activity', what: 'how much you move each day and the energy you burn' },
    { category: 'Workouts', what: 'your workouts from now on: the sport, when, how far and how hard' },
    { category: 'Sleep', what: 'when and how well you sleep, and how you recover overnight' },
    { category: 'Heart', what: 'your heart rate through the day, your cardio load and blood oxygen' },
    { category: 'Body', what: 'your weight, height, fitness and skin temperature' },
  ],
  metrics: [
    'steps',
    'distance',
    'active_calories',
    'total_energy',
    'active_time',
    'sedentary_time',
    'device_training_load',
    'duration',
    'heart_rate_avg',
    'heart_rate_max',
    'asleep',
    'light_sleep',
    'deep_sleep',
    'REM',
    'time_awake',
    'time_in_bed',
    'sleep_cycles',
    'device_sleep_score',
    'sleep_heart_rate',
    'sleep_heart_rate_variability',
    'sleep_respiratory_rate',
    'sleep_skin_temperature',
    'sleep_temperature_deviation',
    'device_readiness_score',
    'heart_rate',
    'heart_rate_min',
    'heart_rate_variability_rmssd',
    'blood_oxygen',
    'weight',
    'height',
    'vo2_max',
  ],
  // For activity. Everything else goes back four weeks, and exercises not at all.
  historyDays: 363,
  hosts: {
    flow: 'https://flow.polar.com',
    polarremote: 'https://polarremote.com',
    www: 'https://www.polaraccesslink.com',
  },
  limits: [
    { per: 'app', calls: (people) => 500 + 20 * people, windowSeconds: 900 },
    { per: 'app', calls: (people) => 5000 + 100 * people, windowSeconds: 86_400 },
  ],
  // A poll takes a dozen calls, and a user has a hundred per day.
  cadence: { pollMinutes: { pushed: 360, unpushed: 240 }, lateHours: 30, silentHours: 96 },
  oauth,
  failureOf,
  streams,
  push,
};
