/** The number of previous days that norms are computed from. */
export const normDays = 60;

/** Measures of a reading, preferred first. A person's norms use one of them. */
export const hrvKinds: readonly string[] = [
  'sleep_heart_rate_variability',
  'heart_rate_variability_rmssd',
  'heart_rate_variability',
];
export const breathingKinds: readonly string[] = ['sleep_respiratory_rate', 'respiratory_rate'];
export const temperatureKinds: readonly string[] = [
  'sleep_skin_temperature',
  'sleep_wrist_temperature',
  'sleep_body_temperature',
];
export const nutrients: readonly string[] = [
  'dietary_energy',
  'fiber',
  'protein',
  'added_sugar',
  'sugar',
  'fat_saturated',
  'fat_monounsaturated',
  'fat_polyunsaturated',
  'sodium',
  'potassium',
  'water',
];

/** All daily metrics that scores and the values computed with them read, directly or through samples. When one changes, scores may change. */
export const scoreInputs: readonly string[] = [
  'asleep',
  'deep_sleep',
  'REM',
  'sleep_efficiency',
  'wake_after_sleep_onset',
  'time_awake',
  'sleep_latency',
  'sleep_midpoint',
  'resting_heart_rate',
  'heart_rate',
  'heart_rate_max',
  'steps',
  'active_calories',
  'resting_energy',
  'total_energy',
  'weight',
  'blood_glucose',
  ...hrvKinds,
  ...breathingKinds,
  ...temperatureKinds,
  ...nutrients,
];

/** Metrics whose samples, not only daily values, are read by scores. */
export const scoreSamples: readonly string[] = [
  'heart_rate',
  'heart_rate_variability_rmssd',
  'heart_rate_variability',
  'steps',
  'blood_glucose',
];

/** Of these metrics and those that scores produce, the ones that scores also read for earlier days. */
export const scoreHistories: readonly string[] = [
  'asleep',
  'deep_sleep',
  'REM',
  'sleep_efficiency',
  'wake_after_sleep_onset',
  'time_awake',
  'sleep_latency',
  'sleep_midpoint',
  'sleep_regularity_index',
  'resting_heart_rate',
  'resting_energy',
  'weight',
  'training_load',
  'energy_reserve_score',
  ...hrvKinds,
  ...breathingKinds,
  ...temperatureKinds,
];
