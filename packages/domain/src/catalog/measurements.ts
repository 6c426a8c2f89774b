import { findMetric, metricOf, metrics } from './catalog.ts';

const groupMembers = (group: string) =>
  metrics.filter((metric) => metric.group === group).map(({ no }) => no);

/**
 * Metrics that one measurement gives together: a cuff inflation, a weigh-in, a night. They come from one device, so that they fit each other.
 * The first one is always part of the measurement.
 */
const momentary: readonly (readonly number[])[] = [
  [findMetric('blood_pressure_systolic')!.no, findMetric('blood_pressure_diastolic')!.no],
  [findMetric('weight')!.no, ...groupMembers('body_composition'), findMetric('body_mass_index')!.no],
];

const byMetric = membersByMetric([...momentary, groupMembers('sleep_stages')]);
const momentaryByMetric = membersByMetric(
  momentary.flatMap((members) => [...Map.groupBy(members, (no) => metricOf(no).aggregation).values()]),
);

function membersByMetric(measurements: readonly (readonly number[])[]) {
  return new Map(measurements.flatMap((members) => members.map((no) => [no, members] as const)));
}

/** All metrics of the measurement that a metric is part of, the main one first. Null if it is measured by itself. */
export function measurementOf(metricNo: number): readonly number[] | null {
  return byMetric.get(metricNo) ?? null;
}

/**
 * The metrics that are measured at the same moment as this one and summarized alike, the main one first: both pressures of a cuff inflation,
 * all values of a weigh-in. Null if it is not measured at a moment together with others.
 */
export function measuredAtOnceWith(metricNo: number): readonly number[] | null {
  return momentaryByMetric.get(metricNo) ?? null;
}
