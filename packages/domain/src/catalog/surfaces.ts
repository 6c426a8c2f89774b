/** Endpoints that return a metric, and its name in session objects of Form 2. */
interface Surfaces {
  readonly form1: readonly string[];
  readonly form2: readonly string[];
  readonly field?: string;
}

/** Most metrics are only daily values. */
export const dailyOnly: Surfaces = { form1: ['daily'], form2: ['daily'] };

/** Endpoints of metrics that are not only daily values. */
export const surfaces: Readonly<Record<string, Surfaces>> = {
  steps: { form1: ['daily', 'timeseries'], form2: ['daily', 'workout_detail'], field: 'metrics.steps' },
  distance: { form1: ['daily', 'workouts'], form2: ['daily', 'workouts'], field: 'distance_km' },
  elevation_gain: {
    form1: ['daily', 'workouts'],
    form2: ['daily', 'workout_detail'],
    field: 'metrics.elevation_meters',
  },
  swimming_stroke_count: {
    form1: ['daily'],
    form2: ['daily', 'workout_detail'],
    field: 'metrics.swimming_stroke_count',
  },
  duration: { form1: ['workouts'], form2: ['workouts'], field: 'duration_minutes' },
  heart_rate_avg: { form1: ['workouts'], form2: ['workouts'], field: 'avg_heart_rate' },
  zone_1: { form1: ['workouts'], form2: ['workout_detail'], field: 'heart_rate.zones' },
  zone_2: { form1: ['workouts'], form2: ['workout_detail'], field: 'heart_rate.zones' },
  zone_3: { form1: ['workouts'], form2: ['workout_detail'], field: 'heart_rate.zones' },
  zone_4: { form1: ['workouts'], form2: ['workout_detail'], field: 'heart_rate.zones' },
  zone_5: { form1: ['workouts'], form2: ['workout_detail'], field: 'heart_rate.zones' },
  strain: { form1: [], form2: ['workouts'], field: 'strain' },
  avg_speed_kmh: { form1: [], form2: ['workout_detail'], field: 'metrics.avg_speed_kmh' },
  avg_pace_seconds_per_km: { form1: [], form2: ['workout_detail'], field: 'metrics.avg_pace_seconds_per_km' },
  avg_mets: { form1: [], form2: ['workout_detail'], field: 'metrics.avg_mets' },
  weather_temperature_c: { form1: [], form2: ['workout_detail'], field: 'metrics.weather_temperature_c' },
  weather_humidity_pct: { form1: [], form2: ['workout_detail'], field: 'metrics.weather_humidity_pct' },
  swimming_lap_length_m: { form1: [], form2: ['workout_detail'], field: 'metrics.swimming_lap_length_m' },
  session_rpe: { form1: ['workouts'], form2: ['workout_detail'] },
  active_calories: {
    form1: ['daily', 'timeseries', 'workouts'],
    form2: ['daily', 'workouts'],
    field: 'calories',
  },
  asleep: { form1: ['daily', 'sleep'], form2: ['daily', 'sleep'], field: 'asleep_minutes' },
  time_in_bed: { form1: ['daily', 'sleep'], form2: ['daily', 'sleep'], field: 'in_bed_minutes' },
  time_awake: { form1: ['daily', 'sleep'], form2: ['daily', 'sleep'], field: 'awake_minutes' },
  light_sleep: { form1: ['daily', 'sleep'], form2: ['daily', 'sleep'], field: 'light_minutes' },
  deep_sleep: { form1: ['daily', 'sleep'], form2: ['daily', 'sleep'], field: 'deep_minutes' },
  REM: { form1: ['daily', 'sleep'], form2: ['daily', 'sleep'], field: 'rem_minutes' },
  restorative_sleep: { form1: ['daily', 'sleep'], form2: ['daily'] },
  sleep_efficiency: { form1: ['daily', 'sleep'], form2: ['daily', 'sleep'], field: 'efficiency_pct' },
  sleep_heart_rate: { form1: ['daily', 'sleep'], form2: ['daily'] },
  sleep_heart_rate_variability: { form1: ['daily', 'sleep'], form2: ['daily'] },
  sleep_respiratory_rate: { form1: ['daily', 'sleep'], form2: ['daily'] },
  sleep_blood_oxygen: { form1: ['daily', 'sleep'], form2: ['daily'] },
  sleep_body_temperature: { form1: ['daily', 'sleep'], form2: ['daily'] },
  sleep_skin_temperature: { form1: ['daily', 'sleep'], form2: ['daily'] },
  sleep_wrist_temperature: { form1: ['daily', 'sleep'], form2: ['daily'] },
  heart_rate: { form1: ['daily', 'timeseries'], form2: ['daily'] },
  heart_rate_max: { form1: ['daily', 'workouts'], form2: ['daily', 'workouts'], field: 'max_heart_rate' },
  heart_rate_variability: { form1: ['daily', 'timeseries'], form2: ['daily'] },
  heart_rate_variability_rmssd: { form1: ['daily', 'timeseries'], form2: ['daily'] },
  blood_oxygen: { form1: ['daily', 'timeseries'], form2: ['daily'] },
  recovery_score: { form1: ['scores', 'scores_history'], form2: ['scores'] },
  strain_score: { form1: ['scores', 'scores_history'], form2: ['scores'] },
  sleep_score: { form1: ['scores', 'scores_history'], form2: ['scores'] },
  nutrition_score: { form1: ['scores', 'scores_history'], form2: ['scores'] },
  energy_reserve_score: { form1: ['scores', 'scores_history'], form2: ['scores'] },
  stress_score: { form1: ['scores', 'scores_history', 'daily', 'timeseries'], form2: ['daily', 'scores'] },
};
