import type { Span } from '../spans.ts';

/** An amount that is spread evenly over a stretch of time, or that belongs to one moment. */
export interface Interval extends Span {
  readonly value: number;
}

/** A stretch of time that is left of an interval. */
export interface Piece extends Span {
  readonly of: Interval;
}

/**
 * The time of one device's intervals without overlap: where two overlap, the later start wins, since it tells more
 * about that moment; of two with the same start the one that ends first, and then the larger.
 */
export function withoutOverlap(intervals: readonly Interval[]): Piece[] {
  const inOrder = intervals.toSorted(
    (a, b) => a.startMs - b.startMs || b.endMs - a.endMs || a.value - b.value,
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

/** What is left of `pieces` outside `covered`; both in order and without overlap. */
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
