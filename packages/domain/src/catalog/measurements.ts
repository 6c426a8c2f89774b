import { findMetric, metrics } from './catalog.ts';

const groupMembers = (group: string) =>
  metrics.filter((metric) => metric.group === group).map(({ no }) => no);

/**
 * Metrics that one measurement gives together: a cuff inflation, a weigh-in, a night. They come from one device, so that they fit each other.
 * The first one is always part of the measurement.
 */
const measurements: readonly (readonly number[])[] = [
  [findMetric('blood_pressure_systolic')!.no, findMetric('blood_pressure_diastolic')!.no],
  [findMetric('weight')!.no, ...groupMembers('body_composition')],
  groupMembers('sleep_stages'),
];

const byMetric = new Map(measurements.flatMap((members) => members.map((no) => [no, members] as const)));

/** All metrics of the measurement that a metric is part of, the main one first. Null if it is measured by itself. */
export function measurementOf(metricNo: number): readonly number[] | null {
  return byMetric.get(metricNo) ?? null;
}
