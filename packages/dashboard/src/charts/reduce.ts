/** Samples in chronological order. A null value or a silence longer than `gapSeconds` is a gap. */
export interface Samples {
  /** Seconds since 1970, ascending. */
  times: ArrayLike<number>;
  values: ArrayLike<number | null>;
  gapSeconds: number;
}

export interface Reduced {
  times: number[];
  highs: (number | null)[];
  lows: (number | null)[];
  means: (number | null)[];
}

export interface Summary {
  count: number;
  low: number;
  high: number;
  mean: number;
}

/** Reduces a span to the low, high and mean of each bucket. Returns every sample if there are fewer samples than buckets. */
export function reduce(
  { times, values, gapSeconds }: Samples,
  from: number,
  to: number,
  buckets: number,
): Reduced {
  const reduced: Reduced = { times: [], highs: [], lows: [], means: [] };
  // Includes one sample beyond each side, so that the line extends to the edge.
  const first = Math.max(0, indexAt(times, from) - 1);
  const end = Math.min(times.length, indexAt(times, to) + 1);
  const width = end - first <= buckets ? 0 : (to - from) / buckets;
  let last = Number.NEGATIVE_INFINITY;
  for (let at = first; at < end;) {
    const start = times[at]!;
    if (start - last > Math.max(gapSeconds, 2 * width) && reduced.times.length > 0)
      push(reduced, (last + start) / 2, null);
    const limit = width === 0 ? start : from + (Math.floor((start - from) / width) + 1) * width;
    let next = at + 1;
    while (next < end && times[next]! < limit) next += 1;
    const summary = summarize(values, at, next);
    push(reduced, (start + times[next - 1]!) / 2, summary);
    last = times[next - 1]!;
    at = next;
  }
  return reduced;
}

function push({ times, highs, lows, means }: Reduced, time: number, summary: Summary | null): void {
  times.push(time);
  highs.push(summary?.high ?? null);
  lows.push(summary?.low ?? null);
  means.push(summary?.mean ?? null);
}

/** Summarizes the samples from one index up to another. Returns null if there is no value. */
export function summarize(values: ArrayLike<number | null>, first: number, end: number): Summary | null {
  let count = 0;
  let sum = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let at = first; at < end; at += 1) {
    const value = values[at];
    if (value === null || value === undefined) continue;
    count += 1;
    sum += value;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return count === 0 ? null : { count, low, high, mean: sum / count };
}

/** Returns the index of the first sample at or after a time, by binary search. */
export function indexAt(times: ArrayLike<number>, moment: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Moves a span into another without shrinking it, and enforces a minimum length. */
export function clampSpan(
  [from, to]: readonly [number, number],
  [first, last]: readonly [number, number],
  leastSeconds: number,
): [number, number] {
  const width = Math.min(Math.max(to - from, leastSeconds), last - first);
  const start = Math.min(Math.max(from, first), last - width);
  return [start, start + width];
}
