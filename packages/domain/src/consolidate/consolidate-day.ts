import type { Method, Metric } from '../catalog/metric.ts';
import type { DeviceFacts } from '../devices/device-facts.ts';
import { compareDevices, rankOf } from '../devices/rank.ts';

/** What one device says about a metric and day, in the catalog's unit. */
export interface Candidate {
  readonly device: DeviceFacts;
  readonly value: number;
  /** Whether the user's settings let the device take part. */
  readonly enabled: boolean;
}

/** One value of several devices. */
export interface Consolidated {
  readonly value: number;
  /** The winner, or the best-ranked of those that had a part. */
  readonly source: number;
  /** Every device that had a part, the best-ranked first. */
  readonly contributors: readonly number[];
}

/**
 * Makes one value of what several devices say about a day; null when no enabled device says anything. A day that is to be
 * merged but has no intervals falls back to the metric's default.
 */
export function consolidateDay(
  metric: Metric,
  method: Method,
  candidates: readonly Candidate[],
): Consolidated | null {
  const ranked = rankCandidates(metric, candidates);
  const best = ranked[0];
  if (best === undefined) return null;
  const chosen = method === 'merge' ? (metric.defaultMethod ?? 'priority') : method;
  if (chosen === 'priority') return from([best], best.value);
  const ofProviders = bestOfEachProvider(ranked);
  if (chosen === 'max') {
    const largest = ofProviders.reduce((winner, one) => (one.value > winner.value ? one : winner));
    return from([largest], largest.value);
  }
  // In the order of rank, so that rounding errors do not depend on the order of arrival.
  const sum = ofProviders.reduce((total, one) => total + one.value, 0);
  return from(ofProviders, chosen === 'avg' ? sum / ofProviders.length : sum);
}

/** Those that may take part, the best-ranked first. */
export function rankCandidates<C extends Pick<Candidate, 'device' | 'enabled'>>(
  metric: Metric,
  candidates: readonly C[],
): C[] {
  return candidates
    .filter((candidate) => candidate.enabled)
    .map((candidate) => ({ candidate, device: candidate.device, rank: rankOf(metric, candidate.device) }))
    .sort(compareDevices)
    .map(({ candidate }) => candidate);
}

function bestOfEachProvider(ranked: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return ranked.filter(({ device }) => {
    const isFirst = !seen.has(device.provider);
    seen.add(device.provider);
    return isFirst;
  });
}

function from(parts: readonly Candidate[], value: number): Consolidated {
  const contributors = parts.map((part) => part.device.deviceNo);
  return { value, source: contributors[0]!, contributors };
}
