import type { DeviceDay } from './device-days.ts';
import { mergeOverTime } from './merge.ts';
import { byRank } from './ranks.ts';
import type { Device } from './uploads.ts';

/** A canonical value, the device that represents it, and the rules that made a difference. */
export interface Chosen {
  value: number;
  source: Device | null;
  /** The devices that may represent an average or a sum. */
  contributors: Device[];
  rules: Set<Rule>;
}

export const representedBy = (source: Device): { source: Device; contributors: Device[] } => ({
  source,
  contributors: [source],
});

/** The rules whose effect is counted. */
export const rules = [
  'coverage',
  'unworn zero',
  'store union',
  'merge',
  'aged total',
  'midnight',
  'measurement',
  'sleep cluster',
  'echo',
] as const;
export type Rule = (typeof rules)[number];

export type Method = 'priority' | 'merge' | 'max' | 'avg' | 'sum';

/** What one provider reports: one device, or the devices of a health store as one record. */
interface Provided {
  /** The best-ranked device that observed enough of the day, which gives a store its rank. */
  leader: Device;
  contributors: Device[];
  value: number;
  coverage: number;
}

/** One value from the enabled devices of a day. */
export function choose(
  days: readonly DeviceDay[],
  metric: string,
  method: Method,
  canMerge: boolean,
): Chosen | null {
  if (days.length === 0) return null;
  const rules = new Set<Rule>();
  const chosen = canMerge
    ? chooseCount(days, metric, method, rules)
    : chooseReading(days, metric, method, rules);
  const used = days.filter(({ device }) => chosen.contributors.includes(device));
  if (used.some(({ isAged }) => isAged)) rules.add('aged total');
  if (used.some(({ isSplit }) => isSplit)) rules.add('midnight');
  if (days.some(({ coverage }) => coverage === 0) && days.some(({ coverage }) => coverage > 0))
    rules.add('unworn zero');
  const [source] = chosen.contributors.toSorted(byRank(metric));
  const isCombined = method === 'avg' || method === 'sum';
  // Any device may represent a zero of devices that were not worn.
  const isUnworn = days.every(({ coverage }) => coverage === 0);
  return {
    value: chosen.value,
    source: source!,
    contributors: isUnworn ? days.map(({ device }) => device) : isCombined ? chosen.contributors : [source!],
    rules,
  };
}

function chooseCount(days: readonly DeviceDay[], metric: string, method: Method, rules: Set<Rule>) {
  if (method === 'merge') {
    const merged = mergeOverTime(days, metric);
    if (merged.isContested) rules.add('merge');
    return merged;
  }
  const best = Math.max(...days.map(({ coverage }) => coverage));
  const provided = [...Map.groupBy(days, ({ device }) => device.provider).values()].map((own) =>
    reduceStore(own, best, metric, rules),
  );
  if (method === 'max') {
    const devices = days.map(({ device, value, coverage }) => ({
      leader: device,
      contributors: [device],
      value,
      coverage,
    }));
    return largest([...provided, ...devices], metric);
  }
  return method === 'priority' ? bestOf(provided, metric, rules) : combine(provided, method, rules);
}

/**
 * The devices of a health store as one record: merged over time if several have intervals, and otherwise the largest value. Devices that were
 * not worn take no part, unless none was.
 */
function reduceStore(all: readonly DeviceDay[], best: number, metric: string, rules: Set<Rule>): Provided {
  const worn = all.filter((day) => day.coverage > 0);
  const days = worn.length > 0 ? worn : all;
  const coverage = Math.max(...days.map((day) => day.coverage));
  const ranked = days.toSorted((a, b) => byRank(metric)(a.device, b.device));
  const leader = (ranked.find((day) => day.coverage >= best / 2) ?? ranked[0]!).device;
  if (worn.filter(({ pieces }) => pieces.length > 0).length < 2) {
    const devices = days.map(({ device, value }) => ({
      leader: device,
      contributors: [device],
      value,
      coverage,
    }));
    return { ...largest(devices, metric), leader };
  }
  const { value, contributors, isContested } = mergeOverTime(days, metric);
  if (isContested) rules.add('store union');
  return { leader, contributors, value, coverage };
}

function chooseReading(days: readonly DeviceDay[], metric: string, method: Method, rules: Set<Rule>) {
  const options = days.map(({ device, value, coverage }) => ({
    leader: device,
    contributors: [device],
    value,
    coverage,
  }));
  if (method === 'max') return largest(options, metric);
  if (method === 'priority') return bestOf(options, metric, rules);
  const provided = [...Map.groupBy(eligible(options, rules), ({ leader }) => leader.provider).values()];
  return combine(
    provided.map((own) => bestOf(own, metric, rules)),
    method,
    rules,
  );
}

/** A device needs at least half of the best coverage. */
function eligible(options: readonly Provided[], rules: Set<Rule>): Provided[] {
  const best = Math.max(...options.map(({ coverage }) => coverage));
  const some = options.filter(({ coverage }) => coverage >= best / 2);
  if (some.length < options.length) rules.add('coverage');
  return some;
}

/** The mean of the providers that observed enough of the day, or the sum of all. */
function combine(options: readonly Provided[], method: Method, rules: Set<Rule>): Provided {
  const used = method === 'avg' ? eligible(options, rules) : options;
  const sum = used.reduce((all, { value }) => all + value, 0);
  return {
    leader: used[0]!.leader,
    contributors: used.flatMap(({ contributors }) => contributors),
    value: method === 'avg' ? sum / used.length : sum,
    coverage: 1,
  };
}

function bestOf(options: readonly Provided[], metric: string, rules: Set<Rule>): Provided {
  const best = Math.max(...options.map(({ coverage }) => coverage));
  const ranked = options.toSorted((a, b) => byRank(metric)(a.leader, b.leader));
  const chosen = ranked.find(({ coverage }) => coverage >= best / 2)!;
  if (chosen !== ranked[0]) rules.add('coverage');
  return chosen;
}

/** Equal values come from the better-ranked device. */
function largest(options: readonly Provided[], metric: string): Provided {
  return options.toSorted((a, b) => b.value - a.value || byRank(metric)(a.leader, b.leader))[0]!;
}
