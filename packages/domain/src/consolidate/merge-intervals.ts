import type { Metric } from '../catalog/metric.ts';
import type { DeviceFacts } from '../devices/device-facts.ts';
import { covers, union, type Span } from '../spans.ts';
import { rankCandidates, type Consolidated } from './consolidate-day.ts';
import { outside, withoutOverlap, type Interval, type Piece } from './intervals.ts';

/** Intervals of one device. */
export interface MergeCandidate {
  readonly device: DeviceFacts;
  readonly enabled: boolean;
  readonly intervals: readonly Interval[];
}

/** A piece of the merged day, with its device. */
export interface MergedInterval extends Interval {
  readonly deviceNo: number;
}

export interface Merged extends Consolidated {
  /** Sorted by time. An instantaneous value precedes an interval with the same start. */
  readonly intervals: readonly MergedInterval[];
}

/**
 * Merges the counts of several devices over time. Overlapping time counts once, from the device that ranks highest at that moment. A
 * partially covered interval counts in proportion to its remaining time. An instantaneous value counts in full unless a higher-ranked
 * device covers it. Null if no enabled device has intervals.
 */
export function mergeIntervals(metric: Metric, candidates: readonly MergeCandidate[]): Merged | null {
  let covered: Span[] = [];
  const countedMoments = new Set<number>();
  const merged: MergedInterval[] = [];
  const contributors: number[] = [];
  for (const { device, intervals } of rankCandidates(metric, candidates)) {
    const moments = momentsOf(intervals).filter(
      ({ startMs }) => !countedMoments.has(startMs) && !covers(covered, startMs),
    );
    const pieces = outside(withoutOverlap(intervals.filter(hasLength)), covered);
    const own = [...moments, ...pieces.map(shareOf)];
    if (own.length === 0) continue;
    contributors.push(device.deviceNo);
    merged.push(...own.map((interval) => ({ ...interval, deviceNo: device.deviceNo })));
    for (const { startMs } of moments) countedMoments.add(startMs);
    covered = union([...covered, ...pieces]);
  }
  if (contributors.length === 0) return null;
  merged.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  const value = merged.reduce((total, interval) => total + interval.value, 0);
  return { value, source: contributors[0]!, contributors, intervals: merged };
}

function hasLength({ startMs, endMs }: Interval): boolean {
  return endMs > startMs;
}

/** One amount per instant: the larger one if a device reports two. */
function momentsOf(intervals: readonly Interval[]): Interval[] {
  const moments = new Map<number, Interval>();
  for (const { startMs, endMs, value } of intervals) {
    const known = moments.get(startMs);
    if (endMs === startMs && (known === undefined || value > known.value)) {
      moments.set(startMs, { startMs, endMs, value });
    }
  }
  return [...moments.values()];
}

function shareOf({ startMs, endMs, of }: Piece): Interval {
  const isWhole = startMs === of.startMs && endMs === of.endMs;
  const share = (endMs - startMs) / (of.endMs - of.startMs);
  return { startMs, endMs, value: isWhole ? of.value : of.value * share };
}
