import type { Metric } from '../catalog/metric.ts';
import type { DeviceFacts } from '../devices/device-facts.ts';
import { covers, union, type Span } from '../spans.ts';
import { outside, withoutOverlap, type Interval, type Piece } from './intervals.ts';
import { rankCandidates, type Consolidated } from './rank-candidates.ts';

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
 * Merges the counts of several devices over time. Each moment takes the highest-ranked device that counted anything then, and zero only where
 * no device did. A partially covered interval counts in proportion to its remaining time. An instantaneous value counts in full unless a
 * higher-ranked device covers it. Null if no enabled device has intervals.
 */
export function mergeIntervals(metric: Metric, candidates: readonly MergeCandidate[]): Merged | null {
  const ranked = rankCandidates(metric, candidates);
  const timeline = new Timeline();
  for (const { device, intervals } of ranked)
    timeline.add(
      device.deviceNo,
      intervals.filter(({ value }) => value !== 0),
    );
  const counting = [...timeline.contributors];
  for (const { device, intervals } of ranked)
    timeline.add(
      device.deviceNo,
      intervals.filter(({ value }) => value === 0),
    );
  // Devices that only fill gaps with zeros do not contribute to the value, unless there is nothing else.
  const contributors = counting.length > 0 ? counting : timeline.contributors;
  if (contributors.length === 0) return null;
  const intervals = timeline.pieces.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  const value = intervals.reduce((total, interval) => total + interval.value, 0);
  return { value, source: contributors[0]!, contributors, intervals };
}

/** Pieces of several devices without overlap. Earlier additions have precedence. */
class Timeline {
  readonly pieces: MergedInterval[] = [];
  readonly contributors: number[] = [];
  readonly #countedMoments = new Set<number>();
  #covered: Span[] = [];

  add(deviceNo: number, intervals: readonly Interval[]): void {
    const moments = momentsOf(intervals).filter(
      ({ startMs }) => !this.#countedMoments.has(startMs) && !covers(this.#covered, startMs),
    );
    const pieces = outside(withoutOverlap(intervals.filter(hasLength)), this.#covered);
    const own = [...moments, ...pieces.map(shareOf)];
    if (own.length === 0) return;
    if (!this.contributors.includes(deviceNo)) this.contributors.push(deviceNo);
    this.pieces.push(...own.map((interval) => ({ ...interval, deviceNo })));
    for (const { startMs } of moments) this.#countedMoments.add(startMs);
    this.#covered = union([...this.#covered, ...pieces]);
  }
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
