/** A span of time. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** The union of the spans, sorted and joined where they touch. */
export function union(spans: readonly Span[]): Span[] {
  const joined: { startMs: number; endMs: number }[] = [];
  for (const { startMs, endMs } of spans.toSorted((a, b) => a.startMs - b.startMs)) {
    const last = joined.at(-1);
    if (last !== undefined && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs);
    else joined.push({ startMs, endMs });
  }
  return joined;
}

/** Whether any of the spans, which must be sorted and free of overlap, contains the moment. */
export function covers(spans: readonly Span[], momentMs: number): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]!.endMs <= momentMs) low = middle + 1;
    else high = middle;
  }
  return low < spans.length && spans[low]!.startMs <= momentMs;
}

/** How much time the spans cover between two instants, counting overlaps once. */
export function coveredMs(spans: readonly Span[], fromMs = -Infinity, toMs = Infinity): number {
  return union(spans).reduce((total, { startMs, endMs }) => {
    return total + Math.max(0, Math.min(endMs, toMs) - Math.max(startMs, fromMs));
  }, 0);
}
