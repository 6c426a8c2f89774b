import type { Metric } from '../catalog/metric.ts';
import type { DeviceFacts } from '../devices/device-facts.ts';
import { compareDevices, rankOf } from '../devices/rank.ts';

/** The consolidated value. */
export interface Consolidated {
  readonly value: number;
  /** The winner, or the highest-ranked contributor. */
  readonly source: number;
  /** All contributors, highest-ranked first. */
  readonly contributors: readonly number[];
}

/** Enabled candidates, highest-ranked first. */
export function rankCandidates<C extends { readonly device: DeviceFacts; readonly enabled: boolean }>(
  metric: Metric,
  candidates: readonly C[],
): C[] {
  return candidates
    .filter((candidate) => candidate.enabled)
    .map((candidate) => ({ candidate, device: candidate.device, rank: rankOf(metric, candidate.device) }))
    .sort(compareDevices)
    .map(({ candidate }) => candidate);
}
