import { fieldsOf, mapped, numberOf, offsetOfSeconds } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents, Stream } from '../provider.ts';
import { msOf } from './rows.ts';

const same = (value: unknown) => numberOf(value);
const kgOfGrams = (value: unknown) => mapped(numberOf(value), (grams) => grams / 1000);

/** A weight measurement from a scale. */
export const mapBodyComps = mapMeasures({
  weight: ['weightInGrams', kgOfGrams],
  muscle_mass: ['muscleMassInGrams', kgOfGrams],
  bone_mass: ['boneMassInGrams', kgOfGrams],
  body_water_percentage: ['bodyWaterInPercent', same],
  body_fat_percentage: ['bodyFatInPercent', same],
  body_mass_index: ['bodyMassIndex', same],
});

/** A blood pressure measurement from a cuff. */
export const mapBloodPressures = mapMeasures({
  blood_pressure_systolic: ['systolic', same],
  blood_pressure_diastolic: ['diastolic', same],
  heart_rate: ['pulse', same],
});

type Measures = Readonly<Record<string, readonly [field: string, read: (value: unknown) => number | null]>>;

/** Measurements at one time, by metric. */
function mapMeasures(measures: Measures): Stream['map'] {
  return (documents: Documents, batch: BatchBuilder) => {
    for (const row of documents.map(fieldsOf)) {
      const startMs = msOf(row['measurementTimeInSeconds']);
      const offset = offsetOfSeconds(row['measurementTimeOffsetInSeconds']);
      for (const [metric, [field, read]] of Object.entries(measures))
        batch.addReading({ metric, startMs, value: read(row[field]), offset });
    }
  };
}
