import { describe, expect, test } from 'vitest';
import { findMetric } from '../catalog/catalog.ts';
import { derivedMetrics, inputsOf } from './derive.ts';

function derive(id: string, values: Record<string, number>): number | null {
  const read = (metricId: string) => values[metricId] ?? null;
  return derivedMetrics.find(({ no }) => no === findMetric(id)!.no)!.compute(read, () => null);
}

describe('derived values', () => {
  const pressure = (systolic: number, diastolic: number) => ({
    blood_pressure_systolic: systolic,
    blood_pressure_diastolic: diastolic,
  });
  test.each([
    ['pulse_pressure', pressure(120, 80), 40],
    ['pulse_pressure', pressure(80, 120), null],
    ['pulse_pressure', pressure(84, 80), null],
    ['mean_arterial_pressure', pressure(120, 90), 100],
    ['mean_arterial_pressure', pressure(80, 120), null],
    ['mean_arterial_pressure', pressure(80, 80), null],
    ['waist_to_height_ratio', { waist_circumference: 90, height: 180 }, 0.5],
    ['waist_to_height_ratio', { waist_circumference: 200, height: 60 }, null],
    ['total_energy', { active_calories: 9_000, resting_energy: 9_001 }, null],
    ['energy_balance', { dietary_energy: 0, total_energy: 15_000 }, -15_000],
    ['energy_balance', { dietary_energy: 0, total_energy: 15_001 }, null],
    ['body_mass_index', { weight: 81, height: 180 }, 25],
    ['body_mass_index', { weight: 300, height: 120 }, null],
    ['body_mass_index', { weight: 81 }, null],
    ['intensity_minutes', { moderate_intensity_activity: 20, vigorous_intensity_activity: 15 }, 50],
    ['intensity_minutes', { moderate_intensity_activity: 20 }, null],
    ['restorative_sleep', { deep_sleep: 600, REM: 301 }, null],
    ['pulse_pressure', { blood_pressure_systolic: 120 }, null],
  ])('are within the range of the metric or null: %s of %o', (id, values, expected) => {
    expect(derive(id, values)).toBe(expected);
  });

  test('have inputs other than themselves', () => {
    const numberOf = (id: string) => findMetric(id)!.no;
    expect(inputsOf(numberOf('total_energy'))).toEqual(['active_calories', 'resting_energy'].map(numberOf));
    expect(inputsOf(numberOf('steps'))).toEqual([]);
  });
});
