import { expect, test } from 'vitest';
import { findMetric, metrics } from './catalog.ts';
import {
  categoryOrder,
  consolidationKeyOf,
  consolidationKeys,
  findConsolidation,
  groups,
} from './consolidation.ts';

const members: Record<string, string> = {
  wheelchair: 'wheelchair_distance wheelchair_pushes',
  activity_intensity:
    'active_time low_intensity_activity moderate_intensity_activity vigorous_intensity_activity sedentary_time',
  stand: 'stand_time stand_hours',
  met: 'average_met met_minutes',
  gait:
    'walking_speed walking_step_length walking_asymmetry walking_double_support walking_steadiness ' +
    'stair_ascent_speed stair_descent_speed six_minute_walk_distance',
  running_dynamics:
    'running_speed running_power running_cadence running_stride_length running_vertical_oscillation ' +
    'running_ground_contact_time',
  cycling_dynamics: 'cycling_speed cycling_power cycling_cadence',
  body_composition:
    'body_fat_percentage body_fat_mass lean_body_mass muscle_mass skeletal_muscle_mass bone_mass ' +
    'body_water_mass body_water_percentage intracellular_water extracellular_water visceral_fat_level metabolic_age',
  girth: 'waist_circumference hip_circumference',
  sleep_stages:
    'asleep time_in_bed time_awake light_sleep deep_sleep REM sleep_efficiency sleep_latency ' +
    'wake_after_sleep_onset latency_to_arising awakenings sleep_cycles sleep_restlessness',
  sleep_vitals:
    'sleep_heart_rate sleep_heart_rate_min sleep_heart_rate_variability sleep_respiratory_rate ' +
    'sleep_blood_oxygen sleep_blood_oxygen_min',
  sleep_breathing: 'oxygen_desaturation_index breathing_disturbances apnea_hypopnea_index snoring_time',
  sleep_temperature: 'sleep_body_temperature sleep_skin_temperature sleep_wrist_temperature',
  blood_pressure: 'blood_pressure_systolic blood_pressure_diastolic',
  glucose: 'blood_glucose blood_glucose_min blood_glucose_max',
  cgm_summary: 'glucose_time_in_range glucose_time_below_range glucose_time_above_range glucose_variability',
  vascular: 'cardiovascular_age pulse_wave_velocity',
  spirometry: 'forced_vital_capacity forced_expiratory_volume_1 peak_expiratory_flow',
  audio: 'environmental_audio_exposure headphone_audio_exposure',
  macronutrients:
    'dietary_energy protein carbohydrates fat_total fat_saturated fat_monounsaturated fat_polyunsaturated ' +
    'fat_trans fiber sugar added_sugar',
  alcohol_intake: 'alcohol alcoholic_drinks',
};

test('has 22 groups with the documented members', () => {
  expect(groups).toHaveLength(22);
  for (const group of groups) {
    if (group.key === 'micronutrients') expect(group.members).toHaveLength(28);
    else expect(group.members, group.key).toEqual(members[group.key]?.split(' '));
  }
});

// @contract catalog/fields: A group applies one setting to all of its metrics
test('gives all members of a group the same category and methods', () => {
  for (const group of groups) {
    for (const id of group.members) {
      const metric = findMetric(id)!;
      expect(metric.group).toBe(group.key);
      expect(metric.category).toBe(group.category);
      expect(metric.defaultMethod).toBe(group.defaultMethod);
      expect(metric.allowedMethods).toEqual(group.allowedMethods);
    }
  }
});

test('defines every group that a metric names', () => {
  const keys = groups.map((group) => group.key);
  const named = metrics.flatMap((metric) => metric.group ?? []);
  expect([...new Set(named)].toSorted()).toEqual(keys.toSorted());
});

test('has 93 keys, 22 groups and 71 single metrics, by category', () => {
  expect(consolidationKeys).toHaveLength(93);
  expect(new Set(consolidationKeys).size).toBe(93);
  expect(consolidationKeys.filter((key) => findMetric(key) === undefined)).toHaveLength(22);
  const inOrder = consolidationKeys.map((key) => categoryOrder.indexOf(findConsolidation(key)!.category));
  expect(inOrder).not.toContain(-1);
  expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
  expect(categoryOrder).toEqual([
    'Activity',
    'Energy',
    'Body Composition',
    'Sleep',
    'Vitals',
    'Nutrition',
    'Reproductive Health',
  ]);
});

test('uses groups and ungrouped metrics as keys, but not members of groups', () => {
  expect(findConsolidation('steps')?.members).toEqual(['steps']);
  expect(findConsolidation('glucose')?.members).toHaveLength(3);
  expect(findConsolidation('blood_glucose')).toBeUndefined();
  expect(findConsolidation('total_energy')).toBeUndefined();
  expect(findConsolidation('__proto__')).toBeUndefined();
});

test('consolidates a metric under its group, its own ID or not at all', () => {
  expect(consolidationKeyOf(findMetric('steps')!)).toBe('steps');
  expect(consolidationKeyOf(findMetric('REM')!)).toBe('sleep_stages');
  expect(consolidationKeyOf(findMetric('recovery_score')!)).toBeNull();
  for (const metric of metrics) {
    const key = consolidationKeyOf(metric);
    if (key !== null) expect(findConsolidation(key)?.members).toContain(metric.id);
  }
});

test('does not offer max for sleep stages', () => {
  expect(findConsolidation('sleep_stages')?.allowedMethods).toEqual(['priority', 'avg']);
});
