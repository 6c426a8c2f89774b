import { numberOf, type Fields } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { dateOfParts, valueOf } from './wire.ts';

/** Daily values by type: the metric and its value. */
export const dailies: Readonly<Record<string, (value: Fields) => readonly [metric: string, value: unknown]>> =
  {
    'daily-resting-heart-rate': ({ beatsPerMinute }) => ['resting_heart_rate', beatsPerMinute],
    'daily-heart-rate-variability': ({ averageHeartRateVariabilityMilliseconds: average }) => [
      'sleep_heart_rate_variability',
      average,
    ],
    // The lower bound next to it belongs to a confidence interval and is not the lowest value.
    'daily-oxygen-saturation': ({ averagePercentage }) => ['sleep_blood_oxygen', averagePercentage],
    'daily-respiratory-rate': ({ breathsPerMinute }) => ['sleep_respiratory_rate', breathsPerMinute],
    'daily-sleep-temperature-derivations': ({ nightlyTemperatureCelsius: nightly }) => [
      'sleep_skin_temperature',
      nightly,
    ],
    'daily-vo2-max': ({ vo2Max }) => ['vo2_max', vo2Max],
  };

/** Maps daily values. */
export function mapDailies(type: string, documents: Documents, batch: BatchBuilder): void {
  for (const point of documents) {
    const value = valueOf(type, point);
    const [metric, amount] = dailies[type]!(value);
    batch.addDaily(dateOfParts(value['date']), metric, numberOf(amount));
  }
}
