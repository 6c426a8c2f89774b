import { findMetric } from '../catalog/catalog.ts';

/** How each derived value is computed, as a noun phrase. */
const formulas: Readonly<Record<string, string>> = {
  restorative_sleep: 'deep sleep + REM sleep',
  pulse_pressure: 'systolic − diastolic blood pressure',
  mean_arterial_pressure: 'diastolic + (systolic − diastolic blood pressure) ÷ 3',
  waist_to_height_ratio: 'waist ÷ height',
  total_energy: 'active calories + resting energy',
  body_mass_index: 'weight ÷ height²',
  intensity_minutes: 'moderate + 2 × vigorous minutes',
  energy_balance: 'dietary energy − total energy',
  nap_count: 'the number of sleep sessions other than the main sleep',
  bedtime: 'the start of the main sleep, in minutes from midnight',
  wake_time: 'the end of the main sleep, in minutes from midnight',
  sleep_midpoint: 'the middle of the main sleep, in minutes from midnight',
  workout_count: 'the number of workouts that start on the day',
  active_hours: 'the number of hours with at least 250 steps',
  longest_inactivity: 'the longest awake period with fewer than 40 steps in every 15 minutes',
  heart_rate_dip: '100 × (awake − asleep mean heart rate) ÷ awake mean heart rate',
  sleep_need: 'the median of the last 60 nights, within the recommended range',
  sleep_debt: 'the sum of what the nights of the last 14 days lack of the sleep need',
  social_jetlag: 'the difference between the mean sleep midpoints of weekends and other days over 28 days',
  glucose_management_indicator: '3.31 + 0.02392 × the mean glucose of 14 days in mg/dL',
  exercise_energy: 'the active calories of all workouts that start on the day',
};

/** How a metric is computed, in words; null for metrics that are not derived from other values. */
export function formulaOf(metricNo: number): string | null {
  return formulasByNumber.get(metricNo) ?? null;
}

const formulasByNumber = new Map(Object.entries(formulas).map(([id, words]) => [findMetric(id)!.no, words]));
