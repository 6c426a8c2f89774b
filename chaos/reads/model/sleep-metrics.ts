import type { SleepNumbers } from './sleep.ts';

/** Metrics that add up over all sessions of a day. */
export const addedMetrics: Record<string, keyof SleepNumbers> = {
  asleep: 'asleep',
  time_in_bed: 'inBed',
  time_awake: 'awake',
  light_sleep: 'light',
  deep_sleep: 'deep',
  REM: 'rem',
};

/** Metrics of the main sleep only. */
export const mainMetrics: Record<string, keyof SleepNumbers> = {
  sleep_efficiency: 'efficiency',
  sleep_latency: 'latency',
  wake_after_sleep_onset: 'wakeAfterOnset',
  latency_to_arising: 'latencyToArising',
  awakenings: 'awakenings',
};

/** Metrics that were measured during the main sleep. */
export const vitalMetrics = (
  'sleep_heart_rate sleep_heart_rate_min sleep_heart_rate_variability sleep_respiratory_rate sleep_blood_oxygen ' +
  'sleep_blood_oxygen_min sleep_cycles sleep_restlessness oxygen_desaturation_index breathing_disturbances ' +
  'apnea_hypopnea_index snoring_time sleep_body_temperature sleep_skin_temperature sleep_wrist_temperature device_sleep_score'
).split(' ');

/** Every daily metric that can come from sleep sessions. */
export const sleepMetrics = new Set([
  ...Object.keys(addedMetrics),
  ...Object.keys(mainMetrics),
  ...vitalMetrics,
  'nap_time',
]);
