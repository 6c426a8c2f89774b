import type { PlacedPoint } from './batches.ts';
import { int64 } from '../wire.ts';

type Value = Record<string, unknown>;
type Reckon = (points: readonly PlacedPoint[]) => Value;

const sumOf =
  (field: string, total: string, write: (sum: number) => unknown): Reckon =>
  (points) => ({ [total]: write(points.reduce((sum, { value }) => sum + Number(value[field]), 0)) });
const kcal = sumOf('kcal', 'kcalSum', Number);

/** How the points of a window are combined, for the types that support rollups. */
export const rollups: Readonly<Record<string, Reckon>> = {
  steps: sumOf('count', 'countSum', int64),
  distance: sumOf('millimeters', 'millimetersSum', int64),
  floors: sumOf('count', 'countSum', int64),
  altitude: sumOf('gainMillimeters', 'gainMillimetersSum', int64),
  'active-energy-burned': kcal,
  'basal-energy-burned': kcal,
  'total-calories': kcal,
  'heart-rate': (points) => {
    const beats = points.map(({ value }) => Number(value['beatsPerMinute']));
    return {
      beatsPerMinuteAvg: beats.reduce((sum, beat) => sum + beat, 0) / beats.length,
      beatsPerMinuteMin: Math.min(...beats),
      beatsPerMinuteMax: Math.max(...beats),
    };
  },
  'active-minutes': (points) => {
    const sums = new Map<string, number>();
    for (const { value } of points)
      for (const level of value['activeMinutesByActivityLevel'] as Value[]) {
        const name = String(level['activityLevel']);
        sums.set(name, (sums.get(name) ?? 0) + Number(level['activeMinutes']));
      }
    return {
      activeMinutesRollupByActivityLevel: [...sums].map(([activityLevel, sum]) => ({
        activityLevel,
        activeMinutesSum: int64(sum),
      })),
    };
  },
  'active-zone-minutes': (points) => {
    const sumIn = (zone: string): string => {
      const inside = points.filter(({ value }) => value['heartRateZone'] === zone);
      return int64(inside.reduce((sum, { value }) => sum + Number(value['activeZoneMinutes']), 0));
    };
    return {
      sumInFatBurnHeartZone: sumIn('FAT_BURN'),
      sumInCardioHeartZone: sumIn('CARDIO'),
      sumInPeakHeartZone: sumIn('PEAK'),
    };
  },
};

/** The maximum number of days in one rollup. */
export function mostRollupDays(type: string): number {
  return ['heart-rate', 'total-calories', 'active-minutes'].includes(type) ? 14 : 90;
}
