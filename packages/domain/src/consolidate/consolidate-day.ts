import { onDeviceProviders } from '@tributary/contract';
import type { Method, Metric } from '../catalog/metric.ts';
import type { DeviceFacts } from '../devices/device-facts.ts';
import type { Interval } from './intervals.ts';
import { mergeIntervals, type Merged } from './merge-intervals.ts';
import { rankCandidates, type Consolidated } from './rank-candidates.ts';

/** A reported value for a metric and day, in the catalog unit. */
export interface Candidate {
  readonly device: DeviceFacts;
  readonly value: number;
  /** Whether the user's settings include the device. */
  readonly enabled: boolean;
  /** The share of the day, from 0 to 1, that the device observed. */
  readonly coverage: number;
  /** The total that the platform reported, even if later samples replaced it. Null if there is none. */
  readonly total: number | null;
  /** What the device counted over time, for metrics that can be merged. */
  readonly intervals: readonly Interval[];
}

/** One value to choose from: of one device, or of all devices in a health store together. */
export interface Option<C extends Candidate = Candidate> extends ConsolidatedDay {
  readonly provider: string;
  readonly coverage: number;
  /** The devices that it combines, highest-ranked first. */
  readonly members: readonly C[];
  /** The device whose rank it has: the highest-ranked one that observed enough of the day. */
  readonly leader: C;
  /** The place of the leader among all candidates. */
  readonly position: number;
}

/** The consolidated value, and the merged day if it was merged over time. */
export interface ConsolidatedDay extends Consolidated {
  readonly merged: Merged | null;
}

/** Consolidates the candidates of a day into one value. Null if no enabled device has a value. */
export function consolidateDay(
  metric: Metric,
  method: Method,
  candidates: readonly Candidate[],
): ConsolidatedDay | null {
  const ranked = rankCandidates(metric, candidates);
  if (ranked.length === 0) return null;
  if (method === 'merge') return unionOf(metric, ranked);
  const options = optionsOf(metric, ranked);
  if (method === 'priority') return eligible(options)[0]!;
  if (method === 'max') return largestOf(options);
  const parts = method === 'avg' ? firstOfProviders(eligible(options)) : partsOfSum(options);
  // In rank order, so that rounding errors do not depend on the order of arrival.
  const sum = parts.reduce((total, one) => total + one.value, 0);
  const contributors = parts.flatMap((part) => part.contributors);
  const value = method === 'avg' ? sum / parts.length : sum;
  return { value, source: contributors[0]!, contributors, merged: null };
}

/** Whether amounts of several devices can be merged over time. */
export function canMerge(metric: Metric): boolean {
  return metric.aggregation === 'sum' && metric.allowedMethods.includes('merge');
}

/** Whether a provider is a health store: one person's record, to which several devices contribute. */
export function isHealthStore(provider: string): boolean {
  return healthStores.includes(provider);
}

const healthStores: readonly string[] = onDeviceProviders;

/**
 * The union of all devices over time. A device that has only a total cannot be merged, but the result is at least the largest total. Must be
 * called with at least one candidate, highest-ranked first.
 */
export function unionOf(metric: Metric, ranked: readonly Candidate[]): ConsolidatedDay {
  const merged = mergeIntervals(metric, ranked);
  // A value without intervals, such as the distance of a workout, counts like a total.
  const totals = ranked.flatMap(({ device, value, total, intervals }) => {
    const known = intervals.length === 0 ? value : total;
    return known === null ? [] : [{ device, value: known }];
  });
  const [first, ...others] = totals;
  const largest = first && others.reduce((top, one) => (one.value > top.value ? one : top), first);
  if (merged && (!largest || merged.value >= largest.value)) {
    const { value, source, contributors } = merged;
    return { value, source, contributors, merged };
  }
  return { ...ofDevice(largest!), merged };
}

/**
 * What the method chooses from, in the order of the best device of each. The devices of a health store count together where amounts can be merged, as the store
 * itself does it. All other devices count one by one, and so do devices that were not worn, so that they do not change what others counted.
 */
export function optionsOf<C extends Candidate>(metric: Metric, ranked: readonly C[]): Option<C>[] {
  const best = Math.max(...ranked.map(({ coverage }) => coverage));
  const storeOf = ({ device, coverage }: C) =>
    canMerge(metric) && isHealthStore(device.provider) && (coverage > 0 || best === 0)
      ? device.provider
      : device;
  return [...Map.groupBy(ranked, storeOf).values()].map((members) => {
    const whole = members.length > 1 ? unionOf(metric, members) : { ...ofDevice(members[0]!), merged: null };
    const leader = members.find((member) => member.coverage * 2 >= best) ?? members[0]!;
    const coverage = Math.max(...members.map((member) => member.coverage));
    const { provider } = leader.device;
    return { ...whole, provider, coverage, members, leader, position: ranked.indexOf(leader) };
  });
}

/** The options that saw at least half as much of the day as the one that saw most, highest-ranked first. */
export function eligible<O extends Pick<Option, 'coverage' | 'position'>>(options: readonly O[]): O[] {
  const best = Math.max(...options.map(({ coverage }) => coverage));
  return options.filter(({ coverage }) => coverage * 2 >= best).sort((a, b) => a.position - b.position);
}

/** The first option of each provider. */
export function firstOfProviders<O extends Option>(options: readonly O[]): O[] {
  const seen = new Set<string>();
  return options.filter(({ provider }) => !seen.has(provider) && seen.add(provider));
}

/** One option per provider. Providers add up however little each of them saw, so only devices of one provider are compared. */
export function partsOfSum<O extends Option>(options: readonly O[]): O[] {
  const byProvider = Map.groupBy(options, ({ provider }) => provider);
  return [...byProvider.values()].map((own) => eligible(own)[0]!);
}

/** The largest value of any option or device, so that no enabled device reports more. Ties go to the higher rank. */
export function largestOf(options: readonly Option[]): ConsolidatedDay {
  const all: ConsolidatedDay[] = options.flatMap((option) => [
    option,
    ...option.members.map((member) => ({ ...ofDevice(member), merged: null })),
  ]);
  return all.reduce((top, one) => (one.value > top.value ? one : top));
}

function ofDevice({ device, value }: Pick<Candidate, 'device' | 'value'>): Consolidated {
  return { value, source: device.deviceNo, contributors: [device.deviceNo] };
}
