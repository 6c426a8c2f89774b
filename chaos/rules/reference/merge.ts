import { byRank } from './ranks.ts';
import type { DeviceDay } from './device-days.ts';
import type { Device } from './uploads.ts';

/** Counts of several devices as one record. */
export interface Merged {
  value: number;
  /** The devices that contributed, best-ranked first. */
  contributors: Device[];
  /** Whether a moment was counted by more than one device. */
  isContested: boolean;
}

/**
 * Merges counted intervals over time: each moment counts once, from the best-ranked device that counted anything then. The result is at least
 * the largest total.
 */
export function mergeOverTime(days: readonly DeviceDay[], metric: string): Merged {
  const ranked = days.toSorted((a, b) => byRank(metric)(a.device, b.device));
  const instants = [
    ...new Set(days.flatMap(({ pieces }) => pieces.flatMap((one) => [one.startMs, one.endMs]))),
  ];
  instants.sort((a, b) => a - b);
  const shares = new Map<Device, number>();
  let isContested = false;
  for (const [at, startMs] of instants.slice(0, -1).entries()) {
    const endMs = instants[at + 1]!;
    const counting = ranked.flatMap(({ device, pieces }) =>
      pieces
        .filter((one) => one.value > 0 && one.startMs <= startMs && one.endMs >= endMs)
        .map((one) => ({ device, share: (one.value * (endMs - startMs)) / (one.endMs - one.startMs) })),
    );
    const [first] = counting;
    if (!first) continue;
    if (counting.length > 1) isContested = true;
    shares.set(first.device, (shares.get(first.device) ?? 0) + first.share);
  }
  const merged = [...shares.values()].reduce((sum, share) => sum + share, 0);
  const [largest] = ranked.filter(({ total }) => total !== null).toSorted((a, b) => b.total! - a.total!);
  if (largest && (largest.total! > merged || instants.length === 0))
    return { value: largest.total!, contributors: [largest.device], isContested };
  const contributors = ranked.filter(({ device, pieces }) =>
    shares.size > 0 ? shares.has(device) : pieces.length > 0,
  );
  return { value: merged, contributors: contributors.map(({ device }) => device), isContested };
}
