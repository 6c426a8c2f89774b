import type { Method, Metric } from '@tributary/domain';
import { mergeDay } from './merge.ts';
import type { ModelDevice } from './normalized.ts';
import type { Part } from './parts.ts';

/** The value of an enabled device for a metric and date. */
export interface Candidate {
  device: ModelDevice;
  micros: number;
  coverage: number;
  /** What its platform reported in total. Null if it reported no total. */
  total: number | null;
  /** What it counted over time, if it is merged with other devices. */
  parts: readonly Part[];
}

interface Choice {
  micros: number;
  devices: readonly ModelDevice[];
}

interface Option extends Choice {
  provider: string;
  coverage: number;
  members: readonly Candidate[];
  /** The place of the device whose rank it has. */
  position: number;
}

const healthStores = new Set(['apple_health', 'health_connect', 'samsung_health']);

export function isHealthStore(provider: string): boolean {
  return healthStores.has(provider);
}

export function canMerge({ aggregation, allowedMethods }: Metric): boolean {
  return aggregation === 'sum' && allowedMethods.includes('merge');
}

/** Chooses between candidates, which must be sorted by rank. There must be at least one. */
export function choose(metric: Metric, method: Method, candidates: readonly Candidate[]): Choice {
  if (method === 'merge') return unionOf(candidates);
  const options = optionsOf(metric, candidates);
  if (method === 'priority') return eligibleOf(options)[0]!;
  if (method === 'max') {
    const all = options.flatMap((option) => [option, ...option.members.map(single)]);
    const largest = Math.max(...all.map(({ micros }) => micros));
    return all.find(({ micros }) => micros === largest)!;
  }
  const providers = [...new Set(options.map(({ provider }) => provider))];
  const parts =
    method === 'sum'
      ? providers.map((provider) => eligibleOf(own(provider, options))[0]!)
      : eligibleOf(options).filter((option) => own(option.provider, eligibleOf(options))[0] === option);
  const sum = parts.reduce((total, { micros }) => total + micros, 0);
  return {
    micros: method === 'sum' ? sum : sum / parts.length,
    devices: parts.flatMap(({ devices }) => devices),
  };
}

const own = (provider: string, from: readonly Option[]) => from.filter((one) => one.provider === provider);

/**
 * All devices of a health store that were worn count as one, if their counts can be merged. The store has the rank of its best device that
 * observed at least half as much as any device.
 */
function optionsOf(metric: Metric, candidates: readonly Candidate[]): Option[] {
  const most = Math.max(...candidates.map(({ coverage }) => coverage));
  const isOfStore = ({ device, coverage }: Candidate) =>
    canMerge(metric) && isHealthStore(device.provider) && (coverage > 0 || most === 0);
  const groups = Map.groupBy(candidates, (one) => (isOfStore(one) ? one.device.provider : one.device));
  return [...groups.values()].map((members) => {
    const leader = members.find(({ coverage }) => coverage * 2 >= most) ?? members[0]!;
    return {
      ...(members.length > 1 ? unionOf(members) : single(members[0]!)),
      provider: members[0]!.device.provider,
      coverage: Math.max(...members.map(({ coverage }) => coverage)),
      members,
      position: candidates.indexOf(leader),
    };
  });
}

/** Options that observed at least half as much as the best of them, in order of rank. */
function eligibleOf(options: readonly Option[]): Option[] {
  return options
    .filter(({ coverage }) => options.every((other) => coverage * 2 >= other.coverage))
    .sort((a, b) => a.position - b.position);
}

/** Merges devices over time. The result is at least the largest value that is not a sum of intervals. */
function unionOf(candidates: readonly Candidate[]): Choice {
  const merged = mergeDay(candidates);
  const whole = candidates.flatMap(({ device, micros, total, parts }) => {
    const known = parts.length === 0 ? micros : total;
    return known === null ? [] : [{ device, micros: known }];
  });
  const largest = Math.max(...whole.map(({ micros }) => micros));
  const micros = merged.reduce((sum, stretch) => sum + stretch.micros, 0);
  if (merged.length === 0 || largest > micros) return single(whole.find((one) => one.micros === largest)!);
  const counting = merged.filter((stretch) => stretch.micros !== 0);
  const shown = counting.length > 0 ? counting : merged;
  const contributes = ({ device }: Candidate) => shown.some((stretch) => stretch.device === device);
  return { micros, devices: candidates.filter(contributes).map(({ device }) => device) };
}

function single({ micros, device }: Pick<Candidate, 'micros' | 'device'>): Choice {
  return { micros, devices: [device] };
}
