import { findMetric, metrics, type Metric } from '@tributary/domain';
import type { DayBounds } from './day-bounds.ts';
import type { DeviceReadings } from './device-days.ts';

const heartRates = ['heart_rate', 'heart_rate_min', 'heart_rate_max', 'resting_heart_rate'];
const isMovement = ({ aggregation, category }: Metric) =>
  aggregation === 'sum' && (category === 'Activity' || category === 'Energy');
const movements = metrics
  .filter(isMovement)
  .map(({ id }) => id)
  .filter((id) => !['resting_energy', 'total_energy', 'sedentary_time'].includes(id));
const momentary = new Set(['body_temperature', 'blood_ketones', 'blood_lactate', 'blood_alcohol']);

/** The share of a day that a device observed for a metric. It must have a value. */
export function coverageOf(readings: DeviceReadings, date: string, metricId: string, day: DayBounds): number {
  const metric = findMetric(metricId)!;
  const of = (id: string) => readings.get(`${date} ${id}`)?.micros;
  const { micros, observedMs, totalAtMs } = readings.get(`${date} ${metricId}`)!;
  if (isMovement(metric) && micros === 0) {
    const isWorn = heartRates.some((id) => of(id) !== undefined) || movements.some((id) => of(id)! > 0);
    if (!isWorn) return 0;
  }
  const { kind, category, group } = metric;
  if (kind === 'latest' || category === 'Nutrition' || momentary.has(metricId)) return 1;
  if (group === 'blood_pressure' || group === 'spirometry') return 1;
  const lengthMs = day.endMs - day.startMs;
  if (observedMs !== null) return Math.min(1, observedMs / lengthMs);
  // A count is valid until it was reported.
  const untilMs = isMovement(metric) && totalAtMs !== null ? totalAtMs : day.endMs;
  return untilMs > day.startMs ? Math.min(1, (untilMs - day.startMs) / lengthMs) : 1;
}
