import { fieldsOf, instantOf, mapped, numberOf, type Fields } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { offsetOfDuration, valueOf } from './wire.ts';

interface Measured {
  metric: string;
  value: number | null;
  /** Defaults to the catalog's unit. */
  unit?: string;
}

/** The metric of a sample, by type. */
export const samples: Readonly<Record<string, (value: Fields) => readonly Measured[]>> = {
  'heart-rate': ({ beatsPerMinute }) => [one('heart_rate', beatsPerMinute)],
  // RMSSD and SDNN of the same beats are two metrics that are never mixed.
  'heart-rate-variability': (value) => [
    one('heart_rate_variability_rmssd', value['rootMeanSquareOfSuccessiveDifferencesMilliseconds']),
    one('heart_rate_variability', value['standardDeviationMilliseconds']),
  ],
  'oxygen-saturation': ({ percentage }) => [one('blood_oxygen', percentage)],
  'respiratory-rate-sleep-summary': ({ fullSleepStats }) => [
    one('sleep_respiratory_rate', fieldsOf(fullSleepStats)['breathsPerMinute']),
  ],
  weight: ({ weightGrams }) => [
    { metric: 'weight', value: mapped(numberOf(weightGrams), (grams) => grams / 1000) },
  ],
  'body-fat': ({ percentage }) => [one('body_fat_percentage', percentage)],
  height: ({ heightMillimeters }) => [
    { metric: 'height', value: mapped(numberOf(heightMillimeters), (millimeters) => millimeters / 10) },
  ],
  'core-body-temperature': ({ temperatureCelsius }) => [one('body_temperature', temperatureCelsius)],
  'blood-glucose': ({ bloodGlucoseMilligramsPerDeciliter: glucose }) => [
    { ...one('blood_glucose', glucose), unit: 'mg/dL' },
  ],
  'vo2-max': ({ vo2Max }) => [one('vo2_max', vo2Max)],
  'run-vo2-max': ({ runVo2Max }) => [one('vo2_max', runVo2Max)],
};

interface Gathered extends Pick<Measured, 'metric' | 'unit'> {
  offset: string | null;
  points: [atMs: number, value: number | null][];
}

/** Maps samples to one series for each metric and offset. */
export function mapSamples(type: string, documents: Documents, batch: BatchBuilder): void {
  const gathered = new Map<string, Gathered>();
  for (const point of documents) {
    const value = valueOf(type, point);
    const { physicalTime, utcOffset } = fieldsOf(value['sampleTime']);
    const atMs = instantOf(physicalTime);
    if (atMs === null) continue;
    const offset = offsetOfDuration(utcOffset);
    for (const { metric, value: measured, unit } of samples[type]!(value)) {
      const key = `${metric} ${offset}`;
      const series = gathered.get(key) ?? { metric, offset, points: [], ...(unit !== undefined && { unit }) };
      series.points.push([atMs, measured]);
      gathered.set(key, series);
    }
  }
  for (const series of gathered.values()) batch.addSeries(series);
}

function one(metric: string, value: unknown): Measured {
  return { metric, value: numberOf(value) };
}
