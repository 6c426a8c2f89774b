import { findMetric } from '../catalog/catalog.ts';

/** How each derived value is computed, as a noun phrase. */
const formulas: Readonly<Record<string, string>> = {
  restorative_sleep: 'deep sleep + REM sleep',
  pulse_pressure: 'systolic − diastolic blood pressure',
  mean_arterial_pressure: 'diastolic + (systolic − diastolic blood pressure) ÷ 3',
  waist_to_height_ratio: 'waist ÷ height',
  total_energy: 'active calories + resting energy',
  energy_balance: 'dietary energy − total energy',
  nap_count: 'the number of sleep sessions other than the main sleep',
  bedtime: 'the start of the main sleep, in minutes from midnight',
  wake_time: 'the end of the main sleep, in minutes from midnight',
  sleep_midpoint: 'the middle of the main sleep, in minutes from midnight',
  workout_count: 'the number of workouts that start on the day',
  exercise_energy: 'the active calories of all workouts that start on the day',
};

/** How a metric is computed, in words; null for metrics that are not derived from other values. */
export function formulaOf(metricNo: number): string | null {
  return formulasByNumber.get(metricNo) ?? null;
}

const formulasByNumber = new Map(Object.entries(formulas).map(([id, words]) => [findMetric(id)!.no, words]));
