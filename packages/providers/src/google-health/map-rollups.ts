import { fieldsOf, listOf, mapped, numberOf, sumOf, type Fields } from '../mapping/read.ts';
import type { BatchBuilder } from '../mapping/batch-builder.ts';
import type { Documents } from '../provider.ts';
import { dateOfParts, valueOf } from './wire.ts';

type Totals = Record<string, number | null>;

/** The metric of a daily total, by the type that was rolled up. */
export const rollups: Readonly<Record<string, (value: Fields) => Totals>> = {
  steps: ({ countSum }) => ({ steps: numberOf(countSum) }),
  distance: ({ millimetersSum }) => ({ distance: kilometersOf(millimetersSum) }),
  floors: ({ countSum }) => ({ floors_climbed: numberOf(countSum) }),
  altitude: ({ gainMillimetersSum }) => ({
    elevation_gain: mapped(numberOf(gainMillimetersSum), (millimeters) => millimeters / 1000),
  }),
  'active-energy-burned': ({ kcalSum }) => ({ active_calories: numberOf(kcalSum) }),
  'basal-energy-burned': ({ kcalSum }) => ({ resting_energy: numberOf(kcalSum) }),
  'total-calories': ({ kcalSum }) => ({ total_energy: numberOf(kcalSum) }),
  'active-minutes': ({ activeMinutesRollupByActivityLevel: levels }) => ({
    low_intensity_activity: minutesAt('LIGHT', levels),
    moderate_intensity_activity: minutesAt('MODERATE', levels),
    vigorous_intensity_activity: minutesAt('VIGOROUS', levels),
  }),
  // Google already counts a minute in the two higher zones twice, as the catalog requires.
  'active-zone-minutes': ({ sumInFatBurnHeartZone, sumInCardioHeartZone, sumInPeakHeartZone }) => ({
    intensity_minutes: sumOf(
      numberOf(sumInFatBurnHeartZone),
      numberOf(sumInCardioHeartZone),
      numberOf(sumInPeakHeartZone),
    ),
  }),
};

/** Maps daily totals, each under the user's local date. */
export function mapRollups(type: string, documents: Documents, batch: BatchBuilder): void {
  for (const point of documents) {
    const date = dateOfParts(fieldsOf(fieldsOf(point)['civilStartTime'])['date']);
    const totals = rollups[type]!(valueOf(type, point));
    for (const [metric, total] of Object.entries(totals)) batch.addDaily(date, metric, total);
  }
}

function kilometersOf(millimeters: unknown): number | null {
  return mapped(numberOf(millimeters), (value) => value / 1_000_000);
}

function minutesAt(level: string, levels: unknown): number | null {
  const entry = listOf(levels)
    .map(fieldsOf)
    .find(({ activityLevel }) => activityLevel === level);
  return numberOf(entry?.['activeMinutesSum']);
}
