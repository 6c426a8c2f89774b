import { fieldsOf, listOf, mapped, numberOf } from '../../mapping/read.ts';
import type { BatchBuilder } from '../../mapping/batch-builder.ts';
import type { Documents } from '../../provider.ts';
import { isDoubtful, isEcho, isEchoOrNoDevice, isTyped } from './origin.ts';
import { offsetIn } from './zone.ts';

/** Withings measure types. Where two map to the same metric, the first one present counts: 71 is certainly body temperature, 12 is uncertain. */
const measures: readonly (readonly [type: number, metric: string, unit?: string])[] = [
  [1, 'weight'],
  [4, 'height', 'm'],
  [5, 'lean_body_mass'],
  [6, 'body_fat_percentage'],
  [8, 'body_fat_mass'],
  [9, 'blood_pressure_diastolic'],
  [10, 'blood_pressure_systolic'],
  [11, 'heart_rate'],
  [71, 'body_temperature'],
  [12, 'body_temperature'],
  [54, 'blood_oxygen'],
  [73, 'skin_temperature'],
  [76, 'muscle_mass'],
  [77, 'body_water_mass'],
  [88, 'bone_mass'],
  [91, 'pulse_wave_velocity'],
  [123, 'vo2_max'],
  [155, 'cardiovascular_age'],
  [170, 'visceral_fat_level'],
  [226, 'basal_metabolic_rate'],
  [227, 'metabolic_age'],
];

export const measureTypes = measures.map(([type]) => type);

/** Maps measurements of scales, cuffs, thermometers and watches, and manual entries. Goals have the same form and are left out. */
export function mapMeasures(documents: Documents, batch: BatchBuilder): void {
  for (const group of documents.map(fieldsOf)) {
    const isForeign = isTyped(group) ? isEcho(group) : isEchoOrNoDevice(group);
    if (numberOf(group['category']) !== 1 || isForeign || isDoubtful(group)) continue;
    const startMs = mapped(numberOf(group['date']), (seconds) => seconds * 1000);
    const offset = offsetIn(group['timezone'], startMs);
    const values = valuesOf(group['measures']);
    const seen = new Set<string>();
    for (const [type, metric, unit] of measures) {
      const value = values.get(type);
      if (value === undefined || seen.has(metric)) continue;
      seen.add(metric);
      batch.addReading({ metric, startMs, value, offset, ...(unit !== undefined && { unit }) });
    }
  }
}

/** Real values by type. */
function valuesOf(list: unknown): Map<number, number> {
  const values = new Map<number, number>();
  for (const measure of listOf(list).map(fieldsOf)) {
    const type = numberOf(measure['type']);
    const value = numberOf(measure['value']);
    const unit = numberOf(measure['unit']);
    if (type === null || value === null || unit === null) continue;
    // Divides, because multiplying by 0.001 is not exact.
    values.set(type, unit < 0 ? value / 10 ** -unit : value * 10 ** unit);
  }
  return values;
}
