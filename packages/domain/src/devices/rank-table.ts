import type { Metric } from '../catalog/metric.ts';
import type { DeviceKind } from '@tributary/contract';

export type Ranks = Readonly<Partial<Record<DeviceKind, number>>>;

/** Lower wins. A kind that is missing does not usually report such data. */
export const ranks = {
  /** EEG headbands measure sleep directly; a ring told the stages best in the sleep laboratory. */
  sleepStages: { headband: 5, ring: 10, band: 20, watch: 30, bed_sensor: 40, phone: 60, manual: 90 },
  /** The signal at the finger is the cleanest at night. */
  sleepVitals: { ring: 10, band: 20, chest_strap: 25, watch: 30, headband: 35, bed_sensor: 40 },
  /** A wrist is measured all day; a strap is exact, but worn for sessions only. */
  heartRate: {
    watch: 10,
    band: 15,
    chest_strap: 20,
    meter: 25,
    ring: 30,
    bed_sensor: 50,
    phone: 60,
    manual: 90,
  },
  /** A dedicated ECG first, then readings of the night. */
  variability: {
    meter: 5,
    ring: 10,
    chest_strap: 15,
    band: 20,
    watch: 30,
    bed_sensor: 40,
    phone: 60,
    manual: 90,
  },
  /** The oximeter at the fingertip is the reference. */
  bloodOxygen: { meter: 10, ring: 20, band: 25, watch: 30, manual: 90 },
  /** A cuff before what has none. */
  bloodPressure: { meter: 10, watch: 30, manual: 50 },
  /** A thermometer before estimates from the skin. */
  temperature: { meter: 10, ring: 40, band: 45, watch: 50, manual: 60 },
  /** A sensor under the skin sees the whole day, a meter sees moments. */
  glucose: { cgm: 10, meter: 20, manual: 50 },
  /** Chest straps are the usual reference while training. */
  workout: { chest_strap: 5, bike_computer: 10, band: 15, watch: 20, phone: 60 },
  /** A ring infers steps from the finger; a phone is often left behind. */
  movement: { watch: 10, band: 20, ring: 30, bike_computer: 35, phone: 40, manual: 90 },
  /** Sensors at wheel and crank before satellites at the wrist. */
  cycling: { bike_computer: 5, watch: 20, band: 30, ring: 40, phone: 50, manual: 90 },
  /** Gait is told by the phone at the hip. */
  intensity: { watch: 10, phone: 15, band: 20, ring: 30, manual: 90 },
  /** Heart rate and motion together beat motion alone. */
  energy: {
    watch: 10,
    bike_computer: 12,
    chest_strap: 15,
    band: 20,
    ring: 30,
    scale: 40,
    phone: 50,
    manual: 90,
  },
  /** A scale weighs; what was typed in from a clinic follows. */
  body: { scale: 10, manual: 20, watch: 30, food_app: 40 },
  /** Food apps hold the log. */
  nutrition: { food_app: 10, manual: 20, phone: 40, scale: 50, cgm: 60 },
} as const satisfies Record<string, Ranks>;

type RankRow = keyof typeof ranks;

const byCategory: Readonly<Partial<Record<Metric['category'], RankRow>>> = {
  Energy: 'energy',
  'Body Composition': 'body',
  Nutrition: 'nutrition',
};

const byGroup: Readonly<Record<string, RankRow>> = {
  wheelchair: 'movement',
  activity_intensity: 'intensity',
  stand: 'intensity',
  met: 'intensity',
  gait: 'intensity',
  running_dynamics: 'intensity',
  cycling_dynamics: 'cycling',
  sleep_stages: 'sleepStages',
  sleep_vitals: 'sleepVitals',
  sleep_breathing: 'sleepVitals',
  sleep_temperature: 'sleepVitals',
  blood_pressure: 'bloodPressure',
  glucose: 'glucose',
  cgm_summary: 'glucose',
  vascular: 'heartRate',
  spirometry: 'bloodPressure',
  audio: 'heartRate',
};

/** The rest of Activity, Sleep and Vitals, one by one. */
const members: Readonly<Partial<Record<RankRow, string>>> = {
  movement:
    'steps distance walking running swimming rowing cross_country_skiing downhill_snow_sports floors_climbed ' +
    'elevation_gain swimming_stroke_count active_hours longest_inactivity',
  cycling: 'cycling cycling_functional_threshold_power',
  intensity:
    'exercise intensity_minutes time_in_daylight mindful_minutes falls wear_time device_activity_score device_strain ' +
    'device_training_load training_load acute_training_load chronic_training_load',
  workout:
    'workout_count duration heart_rate_avg zone_1 zone_2 zone_3 zone_4 zone_5 strain avg_speed_kmh ' +
    'avg_pace_seconds_per_km avg_mets weather_temperature_c weather_humidity_pct swimming_lap_length_m session_rpe',
  sleepStages:
    'nap_time nap_count device_sleep_score restorative_sleep bedtime wake_time sleep_midpoint sleep_need sleep_debt ' +
    'sleep_regularity_index social_jetlag',
  sleepVitals: 'heart_rate_dip sleep_temperature_deviation',
  heartRate:
    'heart_rate heart_rate_min heart_rate_max resting_heart_rate walking_heart_rate heart_rate_recovery ' +
    'atrial_fibrillation_burden vo2_max electrodermal_activity device_stress_level device_stress_high_time ' +
    'device_recovery_time stress_high_time stress_rest_time',
  variability:
    'heart_rate_variability heart_rate_variability_rmssd respiratory_rate device_readiness_score ' +
    'device_resilience_level',
  bloodOxygen: 'blood_oxygen blood_oxygen_min perfusion_index',
  bloodPressure: 'mean_arterial_pressure pulse_pressure blood_alcohol inhaler_usage',
  temperature: 'body_temperature basal_body_temperature skin_temperature',
  glucose: 'glucose_management_indicator blood_ketones blood_lactate insulin_delivery',
};

const byId = new Map(
  Object.entries(members).flatMap(([row, ids]) => ids.split(' ').map((id) => [id, row as RankRow] as const)),
);

/** The row of the table that a metric follows; null for the scores, which no device reports. */
export function rankRowOf(metric: Metric): RankRow | null {
  const ofGroup = metric.group === null ? undefined : byGroup[metric.group];
  return byId.get(metric.id) ?? ofGroup ?? byCategory[metric.category] ?? null;
}
