import { fromMicros } from '../../samples/micros.ts';
import type { ValueSpan } from '../../samples/value-spans.ts';
import type { Span } from '../../spans.ts';
import { meansByQuarter } from './quarters.ts';

/** The mean glucose of a day in mmol/L, and the number of quarters of an hour with a reading. */
export interface GlucoseFacts {
  readonly quarters: number;
  readonly mean: number;
}

export function glucoseFactsOf(readings: readonly ValueSpan[], day: Span): GlucoseFacts | null {
  const means = meansByQuarter(readings, day).filter((mean) => !Number.isNaN(mean));
  if (means.length === 0) return null;
  const sum = means.reduce((total, mean) => total + mean, 0);
  return { quarters: means.length, mean: fromMicros(sum / means.length) };
}
