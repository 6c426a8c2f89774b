import { chunkMs, findMetric, metrics } from '@tributary/domain';
import { isLong, type DeviceParts, type Part } from './parts.ts';

const membersOf = (group: string) => metrics.filter((metric) => metric.group === group).map(({ id }) => id);

/** Metrics that one measurement gives together, the most important one first. */
export const measurements: readonly (readonly string[])[] = [
  ['blood_pressure_systolic', 'blood_pressure_diastolic'],
  ['weight', ...membersOf('body_composition'), 'body_mass_index'],
  membersOf('sleep_stages'),
];

const atOnceMs = 10 * 60_000;

/** The metrics that are measured together at a moment and summarized alike. */
export function membersAtOnce(metricId: string): string[] {
  const { aggregation, group } = findMetric(metricId)!;
  const members = measurements.find((ids) => ids.includes(metricId)) ?? [];
  return group === 'sleep_stages' ? [] : members.filter((id) => findMetric(id)!.aggregation === aggregation);
}

/** Whether the service keeps each of these readings: none is longer than a minute, and no chunk has more than 64. */
function areSingle(list: readonly Part[]): boolean {
  const chunks = Map.groupBy(list, ({ sample }) => Math.floor(sample.atMs / chunkMs));
  return !list.some(isLong) && [...chunks.values()].every(({ length }) => length <= 64);
}

/** The readings of the most complete measurements of a date: of the latest one, or of all for a mean. */
export function partsOfMeasurements(parts: DeviceParts, date: string, metricId: string): Part[] {
  const known = membersAtOnce(metricId)
    .map((id) => ({ id, list: parts.get(id)?.get(date) ?? [] }))
    .filter(({ list }) => list.length > 0);
  const own = known.find(({ id }) => id === metricId)?.list;
  if (!own) return [];
  if (findMetric(metricId)!.aggregation !== 'last' && known.some(({ list }) => !areSingle(list)))
    return [...own];
  const anchors = known[0]!.list.map(({ startMs }) => startMs);
  /** The index of the measurement that a reading belongs to: the nearest one, and the earlier of two. -1 if none is near. */
  const measurementOf = ({ startMs }: Part) => {
    const distances = anchors.map((atMs) => Math.abs(atMs - startMs));
    const least = Math.min(...distances);
    return least <= atOnceMs ? distances.indexOf(least) : -1;
  };
  const measured = known.map(({ list }) => new Set(list.map(measurementOf)));
  const sizes = anchors.map((_, at) => measured.filter((ofMember) => ofMember.has(at)).length);
  const most = Math.max(...sizes);
  const isUsed = (at: number) =>
    sizes[at] === most && (findMetric(metricId)!.aggregation !== 'last' || sizes.lastIndexOf(most) === at);
  const distanceOf = (part: Part) => Math.abs(anchors[measurementOf(part)]! - part.startMs);
  const byMeasurement = Map.groupBy(
    own.filter((part) => isUsed(measurementOf(part))),
    measurementOf,
  );
  return [...byMeasurement.values()].map(
    (some) => some.toSorted((a, b) => distanceOf(a) - distanceOf(b) || b.startMs - a.startMs)[0]!,
  );
}
