import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { summarizeTrace, type HeartRateTrace } from './heart-rate-trace.ts';

const second = 1000;
const minute = 60 * second;

/** Readings as [seconds from the start, beats per minute]. */
function trace(...readings: [number, number][]): HeartRateTrace {
  return { offsetsMs: readings.map(([at]) => at * second), bpm: readings.map(([, bpm]) => bpm) };
}

describe('summary of a trace', () => {
  test('is null without a reading', () => {
    expect(summarizeTrace(trace(), minute)).toBeNull();
  });

  test('counts each reading until the next, and the last until the end', () => {
    expect(summarizeTrace(trace([0, 100], [10, 140], [40, 120]), minute)).toEqual({
      meanBpm: (100 * 10 + 140 * 30 + 120 * 20) / 60,
      maxBpm: 140,
      histogram: [
        [100, 10 * second],
        [120, 20 * second],
        [140, 30 * second],
      ],
    });
  });

  test('counts no reading for longer than a minute', () => {
    expect(summarizeTrace(trace([0, 100], [300, 160]), 10 * minute)).toEqual({
      meanBpm: 130,
      maxBpm: 160,
      histogram: [
        [100, minute],
        [160, minute],
      ],
    });
  });

  test('has a mean even if its only reading has no time left', () => {
    expect(summarizeTrace(trace([60, 133]), minute)).toEqual({ meanBpm: 133, maxBpm: 133, histogram: [] });
  });

  test('has an exact mean and maximum, and distinguishes tenths of beats', () => {
    const summary = summarizeTrace(trace([0, 120.04], [10, 120.06], [20, 119.98]), 30 * second)!;
    expect(summary.maxBpm).toBe(120.06);
    expect(summary.meanBpm).toBeCloseTo(120.0266667, 6);
    expect(summary.histogram).toEqual([
      [120, 20 * second],
      [120.1, 10 * second],
    ]);
  });
});

test('covers no more time than the workout, and has a mean within its readings', () => {
  const readings = fc.uniqueArray(fc.tuple(fc.nat(7200), fc.integer({ min: 20, max: 250 })), {
    minLength: 1,
    maxLength: 60,
    selector: ([at]) => at,
  });
  fc.assert(
    fc.property(readings, (all) => {
      const sorted = all.toSorted(([a], [b]) => a - b);
      const summary = summarizeTrace(trace(...sorted), 7200 * second)!;
      const histogramMs = summary.histogram.reduce((sum, [, ms]) => sum + ms, 0);
      const values = all.map(([, bpm]) => bpm);
      expect(histogramMs).toBeLessThanOrEqual(Math.min(7200 * second, all.length * minute));
      expect(summary.maxBpm).toBe(Math.max(...values));
      expect(summary.meanBpm).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
      expect(summary.meanBpm).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
    }),
  );
});
