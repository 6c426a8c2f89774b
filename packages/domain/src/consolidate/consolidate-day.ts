import type { Method, Metric } from '../catalog/metric.ts';
import type { DeviceFacts } from '../devices/device-facts.ts';
import { compareDevices, rankOf } from '../devices/rank.ts';

/** A reported value for a metric and day, in the catalog unit. */
export interface Candidate {
  readonly device: DeviceFacts;
  readonly value: number;
  /** Whether the user's settings include the device. */
  readonly enabled: boolean;
}

/** The consolidated value. */
export interface Consolidated {
  readonly value: number;
  /** The winner, or the highest-ranked contributor. */
  readonly source: number;
  /** All contributors, highest-ranked first. */
  readonly contributors: readonly number[];
}

/**
 * Consolidates the candidates of a day into one value. Null if no enabled device has a value. Falls back to the metric's default method if
 * the method is `merge` and there are no intervals.
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
  // In rank order, so that rounding errors do not depend on the order of arrival.
  const sum = ofProviders.reduce((total, one) => total + one.value, 0);
  return from(ofProviders, chosen === 'avg' ? sum / ofProviders.length : sum);
}

/** Enabled candidates, highest-ranked first. */
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
