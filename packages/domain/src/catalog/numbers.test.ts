import { expect, test } from 'vitest';
import { metrics } from './catalog.ts';

/** In numeric order from 1. Databases store these numbers, so new metrics are only added at the end. */
const idsByNumber = `
  steps distance walking running cycling swimming rowing cross_country_skiing downhill_snow_sports
  wheelchair_distance wheelchair_pushes floors_climbed elevation_gain exercise active_time
  low_intensity_activity moderate_intensity_activity vigorous_intensity_activity sedentary_time
  intensity_minutes stand_time stand_hours active_hours longest_inactivity average_met met_minutes
  workout_count training_load acute_training_load chronic_training_load walking_speed
  walking_step_length walking_asymmetry walking_double_support walking_steadiness stair_ascent_speed
  stair_descent_speed six_minute_walk_distance running_speed running_power running_cadence
  running_stride_length running_vertical_oscillation running_ground_contact_time cycling_speed
  cycling_power cycling_cadence cycling_functional_threshold_power swimming_stroke_count
  time_in_daylight mindful_minutes falls duration heart_rate_avg zone_1 zone_2 zone_3 zone_4 zone_5
  strain avg_speed_kmh avg_pace_seconds_per_km avg_mets weather_temperature_c weather_humidity_pct
  swimming_lap_length_m session_rpe wear_time device_activity_score device_strain device_training_load
  active_calories resting_energy total_energy basal_metabolic_rate exercise_energy energy_balance
  device_energy_level energy_reserve_high energy_reserve_low weight height body_mass_index
  body_fat_percentage body_fat_mass lean_body_mass muscle_mass skeletal_muscle_mass bone_mass
  body_water_mass body_water_percentage intracellular_water extracellular_water visceral_fat_level
  metabolic_age waist_circumference hip_circumference waist_to_height_ratio asleep time_in_bed
  time_awake light_sleep deep_sleep REM restorative_sleep sleep_efficiency sleep_latency
  wake_after_sleep_onset latency_to_arising awakenings sleep_cycles sleep_restlessness nap_time
  nap_count bedtime wake_time sleep_midpoint sleep_need sleep_debt sleep_regularity_index social_jetlag
  sleep_heart_rate sleep_heart_rate_min sleep_heart_rate_variability heart_rate_dip
  sleep_respiratory_rate sleep_blood_oxygen sleep_blood_oxygen_min oxygen_desaturation_index
  breathing_disturbances apnea_hypopnea_index snoring_time sleep_body_temperature sleep_skin_temperature
  sleep_wrist_temperature sleep_temperature_deviation device_sleep_score heart_rate heart_rate_min
  heart_rate_max resting_heart_rate walking_heart_rate heart_rate_recovery heart_rate_variability
  heart_rate_variability_rmssd atrial_fibrillation_burden blood_oxygen blood_oxygen_min perfusion_index
  respiratory_rate blood_pressure_systolic blood_pressure_diastolic mean_arterial_pressure
  pulse_pressure body_temperature basal_body_temperature skin_temperature blood_glucose
  blood_glucose_min blood_glucose_max glucose_time_in_range glucose_time_below_range
  glucose_time_above_range glucose_variability glucose_management_indicator blood_ketones blood_lactate
  blood_alcohol insulin_delivery inhaler_usage vo2_max cardiovascular_age pulse_wave_velocity
  electrodermal_activity forced_vital_capacity forced_expiratory_volume_1 peak_expiratory_flow
  environmental_audio_exposure headphone_audio_exposure device_stress_level device_readiness_score
  device_stress_high_time device_recovery_time device_resilience_level stress_high_time stress_rest_time
  dietary_energy protein carbohydrates fat_total fat_saturated fat_monounsaturated fat_polyunsaturated
  fat_trans fiber sugar added_sugar cholesterol sodium potassium calcium iron magnesium phosphorus zinc
  copper manganese selenium iodine chromium molybdenum chloride vitamin_a thiamin riboflavin niacin
  pantothenic_acid vitamin_b6 biotin folate vitamin_b12 vitamin_c vitamin_d vitamin_e vitamin_k caffeine
  alcohol alcoholic_drinks water fruit_vegetables meal_count eating_window recovery_score strain_score
  sleep_score nutrition_score energy_reserve_score stress_score cycle_day menstrual_flow ovulation_test
  basal_body_temperature_shift pregnancy contraception
`;

test('never changes the number of a metric', () => {
  const expected = idsByNumber.trim().split(/\s+/);
  const actual = metrics.toSorted((a, b) => a.no - b.no);
  expect(actual.map((metric) => metric.no)).toEqual(expected.map((_, index) => index + 1));
  expect(actual.map((metric) => metric.id)).toEqual(expected);
});
