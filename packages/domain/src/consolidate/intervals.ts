import type { Span } from '../spans.ts';

/** An amount that is distributed evenly over an interval, or that belongs to one instant. */
export interface Interval extends Span {
  readonly value: number;
  /** When its reading began, if this is only the part of it after midnight. */
  readonly beganMs?: number;
}

/** A remaining part of an interval. */
export interface Piece extends Span {
  readonly of: Interval;
}

/**
 * Splits one device's intervals into pieces without overlap. Where two overlap, the one with the later start wins, because it is more
 * specific. If both start together, the one that ends first wins, then the one with the larger value. Midnight does not count as a start.
 */
export function withoutOverlap(intervals: readonly Interval[]): Piece[] {
  const inOrder = intervals.toSorted(
    (a, b) =>
      a.startMs - b.startMs || beginningOf(a) - beginningOf(b) || b.endMs - a.endMs || a.value - b.value,
  );
  const pieces: Piece[] = [];
  const open: Interval[] = [];
  let atMs = -Infinity;
  const advanceTo = (untilMs: number): void => {
    for (let current = open.at(-1); current !== undefined && atMs < untilMs; current = open.at(-1)) {
      const endMs = Math.min(current.endMs, untilMs);
      if (endMs > atMs) {
        pieces.push({ startMs: atMs, endMs, of: current });
        atMs = endMs;
      }
      if (current.endMs <= atMs) open.pop();
    }
    atMs = untilMs;
  };
  for (const interval of inOrder) {
    advanceTo(interval.startMs);
    open.push(interval);
  }
  advanceTo(Infinity);
  return pieces;
}

function beginningOf({ startMs, beganMs = startMs }: Interval): number {
  return beganMs;
}

/** The parts of `pieces` outside `covered`. Both must be sorted and free of overlap. */
export function outside(pieces: readonly Piece[], covered: readonly Span[]): Piece[] {
  const left: Piece[] = [];
  let next = 0;
  for (const piece of pieces) {
    let { startMs } = piece;
    while (next < covered.length && covered[next]!.endMs <= startMs) next += 1;
    for (let at = next; at < covered.length && covered[at]!.startMs < piece.endMs; at += 1) {
      const { startMs: coverStartMs, endMs: coverEndMs } = covered[at]!;
      if (coverStartMs > startMs) left.push({ startMs, endMs: coverStartMs, of: piece.of });
      startMs = Math.max(startMs, coverEndMs);
    }
    if (startMs < piece.endMs) left.push({ startMs, endMs: piece.endMs, of: piece.of });
  }
  return left;
}
