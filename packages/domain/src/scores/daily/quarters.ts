import { minuteMs } from '../../durations.ts';
import type { ValueSpan } from '../../samples/value-spans.ts';
import type { Span } from '../../spans.ts';

/** Fine enough for waking life, and wide enough that a device in use measures something in each. Coverage uses the same length. */
export const quarterMinutes = 15;
const quarterMs = quarterMinutes * minuteMs;

/** The number of quarters in a local day. Changes of the clock make it shorter or longer. */
function quartersIn({ startMs, endMs }: Span): number {
  return Math.ceil((endMs - startMs) / quarterMs);
}

/** The time-weighted mean of each quarter, in millionths. NaN without a reading. */
export function meansByQuarter(pieces: readonly ValueSpan[], day: Span): Float64Array {
  const count = quartersIn(day);
  const [sums, lengths] = [new Float64Array(count), new Float64Array(count)];
  visitQuarters(pieces, day, (quarter, partMs, { micros }) => {
    sums[quarter]! += micros * partMs;
    lengths[quarter]! += partMs;
  });
  return sums.map((sum, quarter) => sum / lengths[quarter]!);
}

/** Amounts by quarter, distributed evenly over their time. NaN for a quarter in which nothing was counted, not even zero. */
export function amountsByQuarter(pieces: readonly ValueSpan[], day: Span): Float64Array {
  const amounts = new Float64Array(quartersIn(day)).fill(Number.NaN);
  visitQuarters(pieces, day, (quarter, partMs, { startMs, endMs, micros }) => {
    const before = amounts[quarter]!;
    amounts[quarter] = (Number.isNaN(before) ? 0 : before) + (micros * partMs) / (endMs - startMs);
  });
  return amounts;
}

/** The minutes of each quarter that lie within these spans, which must be free of overlap. */
export function minutesByQuarter(spans: readonly Span[], day: Span): Float64Array {
  const minutes = new Float64Array(quartersIn(day));
  visitQuarters(spans, day, (quarter, partMs) => {
    minutes[quarter]! += partMs / minuteMs;
  });
  return minutes;
}

function visitQuarters<S extends Span>(
  spans: readonly S[],
  { startMs, endMs }: Span,
  visit: (quarter: number, partMs: number, span: S) => void,
): void {
  for (const span of spans) {
    const [fromMs, toMs] = [Math.max(span.startMs, startMs), Math.min(span.endMs, endMs)];
    for (let quarter = Math.floor((fromMs - startMs) / quarterMs); ; quarter += 1) {
      const quarterStartMs = startMs + quarter * quarterMs;
      const partMs = Math.min(toMs, quarterStartMs + quarterMs) - Math.max(fromMs, quarterStartMs);
      if (partMs <= 0) break;
      visit(quarter, partMs, span);
    }
  }
}
