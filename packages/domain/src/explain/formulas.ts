import { findMetric } from '../catalog/catalog.ts';

/** How derived answers follow from others, in words. */
const formulas: Readonly<Record<string, string>> = {
  restorative_sleep: 'deep sleep + REM sleep',
  pulse_pressure: 'systolic − diastolic blood pressure',
  mean_arterial_pressure: 'diastolic + (systolic − diastolic blood pressure) ÷ 3',
  waist_to_height_ratio: 'waist ÷ height',
  total_energy: 'active calories + resting energy',
  energy_balance: 'dietary energy − total energy',
  nap_count: 'the number of sleep sessions besides the main sleep',
  bedtime: 'when the main sleep starts, in minutes from midnight',
  wake_time: 'when the main sleep ends, in minutes from midnight',
  sleep_midpoint: 'the middle of the main sleep, in minutes from midnight',
  workout_count: 'the number of workouts that start on the day',
  exercise_energy: 'the active calories of all workouts that start on the day',
};

/** In words, how a metric is worked out; null for what is not derived from other answers. */
export function formulaOf(metricNo: number): string | null {
  return formulasByNumber.get(metricNo) ?? null;
}

const formulasByNumber = new Map(Object.entries(formulas).map(([id, words]) => [findMetric(id)!.no, words]));
