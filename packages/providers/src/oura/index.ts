import type { Provider } from '../provider.ts';
import { failureOf } from './failure-of.ts';
import { oauth } from './oauth.ts';
import { push } from './push.ts';
import { streams } from './streams.ts';

/** Oura API v2. */
export const oura: Provider = {
  id: 'oura',
  name: 'Oura',
  kind: 'ring',
  reads: [
    { category: 'Sleep', what: 'when and how long you sleep, and how deeply' },
    { category: 'Heart', what: 'your heart rate during the day and night, and how much it varies' },
    { category: 'Breathing', what: 'your breathing and blood oxygen while you sleep' },
    { category: 'Activity', what: 'your steps, the energy you burn, and how long you move or sit' },
    { category: 'Workouts', what: 'your workouts: the sport, when, how far and how much energy' },
    { category: 'Recovery', what: 'Oura’s scores, your stress, your fitness and your cardiovascular age' },
  ],
  metrics: [
    'steps',
    'distance',
    'active_calories',
    'resting_energy',
    'low_intensity_activity',
    'moderate_intensity_activity',
    'vigorous_intensity_activity',
    'sedentary_time',
    'wear_time',
    'average_met',
    'asleep',
    'time_in_bed',
    'time_awake',
    'light_sleep',
    'deep_sleep',
    'REM',
    'sleep_latency',
    'sleep_heart_rate',
    'sleep_heart_rate_min',
    'sleep_heart_rate_variability',
    'sleep_respiratory_rate',
    'sleep_blood_oxygen',
    'breathing_disturbances',
    'heart_rate',
    'resting_heart_rate',
    'heart_rate_variability_rmssd',
    'vo2_max',
    'cardiovascular_age',
    'pulse_wave_velocity',
    'device_sleep_score',
    'device_readiness_score',
    'device_activity_score',
    'device_stress_high_time',
    'device_recovery_time',
    'device_resilience_level',
  ],
  historyDays: 730,
  hosts: { api: 'https://api.ouraring.com', cloud: 'https://cloud.ouraring.com' },
  limits: [
    { per: 'user', calls: 5000, windowSeconds: 300 },
    { per: 'app', calls: 5000, windowSeconds: 300 },
  ],
  // Heart rate is never pushed, so polling continues next to pushes. Sleep arrives when the user opens the app.
  cadence: { pollMinutes: { pushed: 15, unpushed: 10 }, lateHours: 36, silentHours: 96 },
  oauth,
  failureOf,
  streams,
  push,
};
