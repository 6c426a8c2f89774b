import type { Metric } from '../catalog/metric.ts';
import type { DeviceKind } from '@tributary/contract';

export type Ranks = Readonly<Partial<Record<DeviceKind, number>>>;

/** Lower numbers win. Kinds without an entry do not usually report the metric. */
export const ranks = {
  /** EEG headbands measure sleep directly. Among wearables, rings staged sleep most accurately in sleep labs. */
  sleepStages: { headband: 5, ring: 10, band: 20, watch: 30, bed_sensor: 40, phone: 60, manual: 90 },
  /** At night, the signal at the finger is the cleanest. */
  sleepVitals: { ring: 10, band: 20, chest_strap: 25, watch: 30, headband: 35, bed_sensor: 40 },
  /** Wrist devices measure all day. Chest straps are exact but worn only for sessions. */
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
  /** Dedicated ECG devices first, then readings from the night. */
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
  /** The fingertip oximeter is the reference. */
  bloodOxygen: { meter: 10, ring: 20, band: 25, watch: 30, manual: 90 },
  /** Cuffs before cuffless estimates. */
  bloodPressure: { meter: 10, watch: 30, manual: 50 },
  /** Thermometers before estimates from the skin. */
  temperature: { meter: 10, ring: 40, band: 45, watch: 50, manual: 60 },
  /** A sensor under the skin covers the whole day, a meter only single moments. */
  glucose: { cgm: 10, meter: 20, manual: 50 },
  /** Chest straps are the usual reference during exercise. */
  workout: { chest_strap: 5, bike_computer: 10, band: 15, watch: 20, phone: 60 },
  /** Rings infer steps from the finger, and phones are often left behind. */
  movement: { watch: 10, band: 20, ring: 30, bike_computer: 35, phone: 40, manual: 90 },
  /** Sensors on wheel and crank before GPS on the wrist. */
  cycling: { bike_computer: 5, watch: 20, band: 30, ring: 40, phone: 50, manual: 90 },
  /** Gait is measured by the phone at the hip. */
  intensity: { watch: 10, phone: 15, band: 20, ring: 30, manual: 90 },
  /** Heart rate with motion is more accurate than motion by itself. */
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
  /** Scales measure weight. Values entered by hand from a clinic come next. */
  body: { scale: 10, manual: 20, watch: 30, food_app: 40 },
  /** Food apps contain the log. */
  nutrition: { food_app: 10, manual: 20, phone: 40, scale: 50, cgm: 60 },
  /** People log their cycle on the phone. Tests read by a device come first, estimates from the skin last. */
  cycle: { meter: 10, manual: 20, phone: 30, watch: 50, ring: 50, band: 50 },
} as const satisfies Record<string, Ranks>;

type RankRow = keyof typeof ranks;

const byCategory: Readonly<Partial<Record<Metric['category'], RankRow>>> = {
  Energy: 'energy',
  'Body Composition': 'body',
  Nutrition: 'nutrition',
  'Reproductive Health': 'cycle',
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

/** The remaining metrics of Activity, Sleep and Vitals. */
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

/** The row of the rank table for a metric. Null for scores, which no device reports. */
export function rankRowOf(metric: Metric): RankRow | null {
  const ofGroup = metric.group === null ? undefined : byGroup[metric.group];
  return byId.get(metric.id) ?? ofGroup ?? byCategory[metric.category] ?? null;
}
