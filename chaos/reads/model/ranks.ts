import { rankRowOf, ranks } from '@tributary/domain/testing';
import type { Metric } from '@tributary/domain';
import type { ModelDevice } from './normalized.ts';

type Row = keyof typeof ranks;

/** Sorts devices from best to worst: on-device data first, then by the rank table, then by the most recent connection, then by name. */
export function inOrderOfRank(devices: readonly ModelDevice[], row: Row | null): ModelDevice[] {
  const table: Readonly<Record<string, number>> = row === null ? {} : ranks[row];
  const rank = ({ kind }: ModelDevice) => (kind === 'other' ? 95 : (table[kind] ?? 80));
  return [...devices].sort((a, b) => {
    if (a.onDevice !== b.onDevice) return a.onDevice ? -1 : 1;
    if (rank(a) !== rank(b)) return rank(a) - rank(b);
    if (a.connectedMs !== b.connectedMs) return a.connectedMs > b.connectedMs ? -1 : 1;
    if (a.stableId !== b.stableId) return a.stableId < b.stableId ? -1 : 1;
    return a.provider < b.provider ? -1 : 1;
  });
}

export function rankedFor(metric: Metric, devices: readonly ModelDevice[]): ModelDevice[] {
  return inOrderOfRank(devices, rankRowOf(metric));
}
