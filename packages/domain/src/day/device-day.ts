import { findMetric, metricOf, metrics } from '../catalog/catalog.ts';
import type { Metric } from '../catalog/metric.ts';
import { isOptIn } from '../catalog/scope.ts';
import { microsPerUnit } from '../samples/micros.ts';
import { compareStamps, type Owner } from '../samples/owner.ts';
import { meanOf, type Partial } from '../samples/partial-summary.ts';
import { companionsOf } from './companions.ts';
import { totalOfSamples } from './one-reading.ts';

/** All data of one device for one day. Metrics are catalog numbers, and values are millionths of their unit. */
export interface DeviceDay {
  /** Totals that the device's platform reported for the date. */
  reported: Map<number, Reported>;
  /** Aggregated samples by chunk. A changed chunk replaces only its own part, so no other chunk is read again. */
  sampled: Map<number, Map<number, Partial>>;
  /** Values from sleep sessions and workouts. */
  fromSessions: Map<number, number>;
}

export interface Reported {
  micros: number;
  owner: Owner;
}

export function emptyDeviceDay(): DeviceDay {
  return { reported: new Map(), sampled: new Map(), fromSessions: new Map() };
}

export function isEmptyDeviceDay(day: DeviceDay): boolean {
  return day.reported.size === 0 && day.sampled.size === 0 && day.fromSessions.size === 0;
}

/** Whether the data of a day shows that the device was in use. Opt-in metrics do not: people log them, and nothing else may reveal the day. */
export function showsUse({ reported, sampled, fromSessions }: DeviceDay): boolean {
  const present = [...reported.keys(), ...sampled.keys(), ...fromSessions.keys()];
  return present.some((no) => !isOptIn(metricOf(no)));
}

/** Stores a reported total unless a later one exists, and returns its outcome for the receipt. */
export function reportTotal(
  day: DeviceDay,
  metricNo: number,
  total: Reported,
): 'new' | 'updated' | 'duplicate' {
  const before = day.reported.get(metricNo);
  if (before && compareStamps(total.owner, before.owner) <= 0) return 'duplicate';
  day.reported.set(metricNo, total);
  if (!before) return 'new';
  return before.micros === total.micros ? 'duplicate' : 'updated';
}

/** Replaces the part of the day that comes from one chunk of samples. */
export function setPartial(day: DeviceDay, metricNo: number, chunk: number, part: Partial | null): void {
  const parts = day.sampled.get(metricNo);
  if (part) {
    if (parts) parts.set(chunk, part);
    else day.sampled.set(metricNo, new Map([[chunk, part]]));
  } else if (parts?.delete(chunk) && parts.size === 0) {
    day.sampled.delete(metricNo);
  }
}

/** The samples that a daily metric is computed from: its own, or those of the metric that it accompanies. */
interface Derivation {
  from: number;
  takes: Metric['aggregation'];
}

const derivations = new Map<number, Derivation[]>();
const followers = new Map<number, number[]>();
for (const metric of metrics) {
  derivations.set(metric.no, [{ from: metric.no, takes: metric.aggregation }]);
  followers.set(metric.no, [metric.no]);
}
for (const metric of metrics) {
  for (const companion of companionsOf(metric.id)) {
    const { no } = findMetric(companion.id)!;
    derivations.get(no)!.push({ from: metric.no, takes: companion.takes });
    followers.get(metric.no)!.push(no);
  }
}

/** Daily metrics that depend on the samples of this metric. */
export function metricsFedBy(metricNo: number): readonly number[] {
  return followers.get(metricNo)!;
}

/** A device's daily value in millionths of the unit, and its origin. */
export interface DayReading {
  readonly micros: number;
  readonly from: 'reported' | 'samples' | 'sessions';
  /** The original unit. See `unitCodeOf`. */
  readonly unitCode: number;
  /** The time of the day that the samples show the device in use. Null without samples, or if that is not known. */
  readonly observedMs: number | null;
}

/** The device's daily value: its reported total, else from samples, else from sessions. Null if there is none. */
export function readingOfDay(day: DeviceDay, metricNo: number): DayReading | null {
  const reported = day.reported.get(metricNo);
  const sampled = sampledOf(day, metricNo);
  const observedMs = sampled?.observedMs ?? null;
  if (reported) {
    const { micros, owner } = reported;
    // A total is valid as of the time it was reported. Counts that the device sent for later times may have exceeded it.
    if (sampled && sampled.isCount && sampled.untilMs > owner.createdMs && sampled.micros > micros)
      return { micros: sampled.micros, from: 'samples', unitCode: sampled.unitCode, observedMs };
    // A total that is much larger than the samples shows that they are not all of it.
    const isExplained = !sampled?.isCount || sampled.micros * 2 >= micros;
    return {
      micros,
      from: 'reported',
      unitCode: owner.unitCode,
      observedMs: isExplained ? observedMs : null,
    };
  }
  if (sampled) return { micros: sampled.micros, from: 'samples', unitCode: sampled.unitCode, observedMs };
  const micros = day.fromSessions.get(metricNo);
  if (micros === undefined || !isPlausible(metricOf(metricNo), micros)) return null;
  return { micros, from: 'sessions', unitCode: 0, observedMs: null };
}

/** What the samples of a day add up to. Null if there are none or it is not plausible. */
function sampledOf(
  day: DeviceDay,
  metricNo: number,
): { micros: number; isCount: boolean; untilMs: number; unitCode: number; observedMs: number | null } | null {
  if (day.sampled.size === 0) return null;
  const metric = metricOf(metricNo);
  for (const { from, takes } of derivations.get(metricNo)!) {
    const total = totalOfSamples(day.sampled, from);
    if (!total) continue;
    const { untilMs, unitCode, observedMs } = total;
    const micros = take(takes, total);
    if (isPlausible(metric, micros))
      return { micros, isCount: takes === 'sum', untilMs, unitCode, observedMs };
  }
  return null;
}

/** The device's daily value in millionths of the unit. Null if there is none. */
export function valueOfDay(day: DeviceDay, metricNo: number): number | null {
  return readingOfDay(day, metricNo)?.micros ?? null;
}

function take(takes: Derivation['takes'], total: Partial): number {
  switch (takes) {
    case 'sum':
      return total.sum;
    case 'avg':
      return meanOf(total);
    case 'min':
      return total.min;
    case 'max':
      return total.max;
    case 'last':
      return total.last;
  }
}

function isPlausible(metric: Metric, micros: number): boolean {
  return micros >= metric.min * microsPerUnit && micros <= metric.max * microsPerUnit;
}

/** All metrics that the day has data for. */
export function metricsOfDay(day: DeviceDay): Set<number> {
  const metricNumbers = new Set<number>([...day.reported.keys(), ...day.fromSessions.keys()]);
  for (const sampled of day.sampled.keys()) for (const fed of metricsFedBy(sampled)) metricNumbers.add(fed);
  return metricNumbers;
}
