/** How many days before the one that is scored its norms are made of. */
export const normDays = 60;

/** Kinds of a reading, the better ones first; a person's norms are of one kind. */
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

/** Every daily answer that a score looks at, itself or through samples: when one changes, scores may. */
export const scoreInputs: readonly string[] = [
  'asleep',
  'deep_sleep',
  'REM',
  'sleep_efficiency',
  'wake_after_sleep_onset',
  'time_awake',
  'sleep_latency',
  'resting_heart_rate',
  'heart_rate',
  'heart_rate_max',
  'steps',
  'active_calories',
  'resting_energy',
  'total_energy',
  'weight',
  ...hrvKinds,
  ...breathingKinds,
  ...temperatureKinds,
  ...nutrients,
];

/** Metrics whose samples scores look at, and not only their days. */
export const scoreSamples: readonly string[] = [
  'heart_rate',
  'heart_rate_variability_rmssd',
  'heart_rate_variability',
  'steps',
];

/** Of these and of what scores give, those that are also looked at on the days before. */
export const scoreHistories: readonly string[] = [
  'resting_heart_rate',
  'weight',
  'training_load',
  'energy_reserve_score',
  ...hrvKinds,
  ...breathingKinds,
  ...temperatureKinds,
];
