import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TraceSummary } from './heart-rate-trace.ts';
import { zonesOf } from './heart-rate-zones.ts';

function summaryOf(...histogram: [number, number][]): TraceSummary {
  return { meanBpm: 0, maxBpm: 0, histogram };
}

describe('heart rate zones', () => {
  test('are tenths of the maximum from half of it, and the last has no upper limit', () => {
    const minutes = (bpm: number) => zonesOf(summaryOf([bpm, 90_000]), 200).map((zone) => zone.minutes);
    expect(minutes(99.9)).toEqual([0, 0, 0, 0, 0]);
    expect(minutes(100)).toEqual([1.5, 0, 0, 0, 0]);
    expect(minutes(119.9)).toEqual([1.5, 0, 0, 0, 0]);
    expect(minutes(120)).toEqual([0, 1.5, 0, 0, 0]);
    expect(minutes(140)).toEqual([0, 0, 1.5, 0, 0]);
    expect(minutes(160)).toEqual([0, 0, 0, 1.5, 0]);
    expect(minutes(180)).toEqual([0, 0, 0, 0, 1.5]);
    expect(minutes(230)).toEqual([0, 0, 0, 0, 1.5]);
  });

  test('include their lower limits', () => {
    expect(zonesOf(summaryOf(), 187)).toEqual([
      { zone: 1, minutes: 0, minBpm: 93.5, maxBpm: 112.2 },
      { zone: 2, minutes: 0, minBpm: 112.2, maxBpm: 130.9 },
      { zone: 3, minutes: 0, minBpm: 130.9, maxBpm: 149.6 },
      { zone: 4, minutes: 0, minBpm: 149.6, maxBpm: 168.3 },
      { zone: 5, minutes: 0, minBpm: 168.3, maxBpm: null },
    ]);
  });

  test('add up to all the time from half of the maximum', () => {
    const histogram = fc.uniqueArray(fc.tuple(fc.integer({ min: 20, max: 250 }), fc.nat(600_000)), {
      selector: ([bpm]) => bpm,
    });
    fc.assert(
      fc.property(histogram, fc.integer({ min: 60, max: 260 }), (all, max) => {
        const totalMinutes = zonesOf(summaryOf(...all), max).reduce((sum, { minutes }) => sum + minutes, 0);
        const expected = all.reduce((sum, [bpm, ms]) => sum + (bpm * 2 >= max ? ms : 0), 0);
        expect(totalMinutes).toBeCloseTo(expected / 60_000, 6);
      }),
    );
  });
});
