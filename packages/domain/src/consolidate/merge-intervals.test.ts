import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMetric } from '../catalog/catalog.ts';
import type { DeviceKind } from '@tributary/contract';
import type { DeviceFacts } from '../devices/device-facts.ts';
import type { Interval } from './intervals.ts';
import { mergeIntervals, type MergeCandidate } from './merge-intervals.ts';

const steps = findMetric('steps')!;

/** Ranks for steps: the watch, then the band, then the ring. */
const kinds: readonly DeviceKind[] = ['watch', 'band', 'ring'];

function has(rank: number, intervals: readonly Interval[], enabled = true): MergeCandidate {
  const device: DeviceFacts = {
    deviceNo: rank,
    stableId: `device ${rank}`,
    provider: `provider ${rank}`,
    onDevice: false,
    kind: kinds[rank - 1]!,
    connectedAtMs: 0,
  };
  return { device, enabled, intervals };
}

function interval(startMs: number, endMs: number, value: number): Interval {
  return { startMs, endMs, value };
}

function merge(...candidates: MergeCandidate[]): [number, number, number, number][] {
  const merged = mergeIntervals(steps, candidates)!;
  return merged.intervals.map(({ startMs, endMs, value, deviceNo }) => [startMs, endMs, value, deviceNo]);
}

describe('two devices', () => {
  test('adds time that only one device covers', () => {
    const merged = mergeIntervals(steps, [has(1, [interval(0, 10, 5)]), has(2, [interval(10, 20, 7)])]);
    expect(merged).toMatchObject({ value: 12, source: 1, contributors: [1, 2] });
  });

  test('counts time that both cover once, from the higher-ranked device', () => {
    expect(merge(has(1, [interval(0, 10, 5)]), has(2, [interval(0, 10, 9)]))).toEqual([[0, 10, 5, 1]]);
  });

  test('counts partially covered intervals in proportion, on both sides', () => {
    expect(merge(has(1, [interval(40, 60, 1)]), has(2, [interval(0, 100, 50)]))).toEqual([
      [0, 40, 20, 2],
      [40, 60, 1, 1],
      [60, 100, 20, 2],
    ]);
  });

  test('keeps the later start of one device where midnight cut an earlier reading', () => {
    const cut = { ...interval(0, 5, 50), beganMs: -5 };
    expect(merge(has(1, [cut, interval(0, 10, 20)]), has(2, [interval(20, 30, 1)]))).toEqual([
      [0, 10, 20, 1],
      [20, 30, 1, 2],
    ]);
    const earlier = { ...interval(0, 3, 30), beganMs: -9 };
    expect(merge(has(1, [cut, earlier]))).toEqual([[0, 5, 50, 1]]);
  });

  test('does not list a device that adds nothing as a contributor', () => {
    const merged = mergeIntervals(steps, [has(1, [interval(0, 10, 5)]), has(2, [interval(2, 8, 9)])]);
    expect(merged?.contributors).toEqual([1]);
  });

  test('ignores intervals of disabled devices', () => {
    const merged = mergeIntervals(steps, [has(1, [interval(0, 10, 5)], false), has(2, [interval(0, 10, 9)])]);
    expect(merged).toMatchObject({ value: 9, source: 2, contributors: [2] });
  });
});

describe('one device', () => {
  test('prefers the later start where intervals overlap and resumes the earlier one afterward', () => {
    expect(merge(has(1, [interval(0, 100, 100), interval(20, 30, 1)]))).toEqual([
      [0, 20, 20, 1],
      [20, 30, 1, 1],
      [30, 100, 70, 1],
    ]);
  });

  test('prefers the shorter of two with the same start, and the larger of two with the same span', () => {
    expect(merge(has(1, [interval(0, 10, 4), interval(0, 20, 40)]))).toEqual([
      [0, 10, 4, 1],
      [10, 20, 20, 1],
    ]);
    expect(merge(has(1, [interval(0, 10, 9), interval(0, 10, 4)]))).toEqual([[0, 10, 9, 1]]);
  });
});

describe('instantaneous values', () => {
  test('counts them in full, even within an interval of the same or a lower-ranked device', () => {
    expect(merge(has(1, [interval(5, 5, 3), interval(0, 10, 10)]), has(2, [interval(0, 20, 20)]))).toEqual([
      [0, 10, 10, 1],
      [5, 5, 3, 1],
      [10, 20, 10, 2],
    ]);
  });

  test('drops them where a higher-ranked device covers them, up to but not including its end', () => {
    const better = has(1, [interval(0, 10, 10)]);
    expect(merge(better, has(2, [interval(0, 0, 1), interval(9, 9, 1)]))).toEqual([[0, 10, 10, 1]]);
    expect(merge(better, has(2, [interval(10, 10, 1)]))).toHaveLength(2);
  });

  test('counts the larger one if a device reports an instant twice', () => {
    expect(merge(has(1, [interval(5, 5, 2), interval(5, 5, 8)]))).toEqual([[5, 5, 8, 1]]);
    expect(merge(has(1, [interval(5, 5, 8), interval(5, 5, 2)]))).toEqual([[5, 5, 8, 1]]);
  });

  test('prefers the higher-ranked device at the same instant', () => {
    expect(merge(has(1, [interval(5, 5, 2)]), has(2, [interval(5, 5, 8)]))).toEqual([[5, 5, 2, 1]]);
  });
});

test('returns null without intervals', () => {
  expect(mergeIntervals(steps, [])).toBeNull();
  expect(mergeIntervals(steps, [has(1, [])])).toBeNull();
});

const anyLength = fc.oneof(fc.nat(40), fc.constant(0));
const anyInterval = fc
  .tuple(fc.nat(100), anyLength, fc.nat(100))
  .map(([startMs, length, value]) => interval(startMs, startMs + length, value));
const anyIntervals = fc.array(anyInterval, { maxLength: 12 });

/** Reference implementation: for each unit of time, picks the highest-ranked device that counted anything. */
function mergeByUnits(all: readonly (readonly Interval[])[]): number {
  const devices = all.map((intervals) => intervals.filter(({ value }) => value !== 0));
  let total = 0;
  for (let at = 0; at < 300; at += 1) {
    let isCovered = false;
    let isMomentCounted = false;
    for (const intervals of devices) {
      const moments = intervals.filter((one) => one.startMs === at && one.endMs === at);
      if (moments.length > 0 && !isCovered && !isMomentCounted) {
        total += Math.max(...moments.map((one) => one.value));
        isMomentCounted = true;
      }
      const running = intervals
        .filter((one) => one.startMs <= at && one.endMs > at)
        .sort((a, b) => b.startMs - a.startMs || a.endMs - b.endMs || b.value - a.value)[0];
      if (running !== undefined && !isCovered) {
        total += running.value / (running.endMs - running.startMs);
        isCovered = true;
      }
    }
  }
  return total;
}

function valueOf(...devices: (readonly Interval[])[]): number {
  return (
    mergeIntervals(
      steps,
      devices.map((intervals, at) => has(at + 1, intervals)),
    )?.value ?? 0
  );
}

function coveredMs(...devices: (readonly Interval[])[]): number {
  const merged = mergeIntervals(
    steps,
    devices.map((intervals, at) => has(at + 1, intervals)),
  );
  return merged?.intervals.reduce((total, one) => total + one.endMs - one.startMs, 0) ?? 0;
}

describe('arbitrary intervals', () => {
  test('gives the same total as the reference implementation', () => {
    fc.assert(
      fc.property(anyIntervals, anyIntervals, anyIntervals, (a, b, c) => {
        expect(valueOf(a, b, c)).toBeCloseTo(mergeByUnits([a, b, c]), 8);
      }),
      { numRuns: 1500 },
    );
  });

  test('preserves the sum of one device without overlap', () => {
    const gapsAndLengths = fc.array(fc.tuple(fc.nat(10), fc.integer({ min: 1, max: 20 }), fc.nat(100)));
    fc.assert(
      fc.property(gapsAndLengths, (steps) => {
        let at = 0;
        const intervals = steps.map(([gap, length, value]) => {
          const startMs = at + gap;
          at = startMs + length;
          return interval(startMs, at, value);
        });
        return valueOf(intervals) === intervals.reduce((total, one) => total + one.value, 0);
      }),
    );
  });

  test('never loses time to a lower-ranked device and never exceeds the sum of all devices', () => {
    fc.assert(
      fc.property(anyIntervals, anyIntervals, (a, b) => {
        const sum = [...a, ...b].reduce((total, one) => total + one.value, 0);
        return coveredMs(a, b) >= coveredMs(a) && valueOf(a, b) <= sum * (1 + 1e-12);
      }),
      { numRuns: 1000 },
    );
  });

  test('returns pieces without overlap', () => {
    fc.assert(
      fc.property(anyIntervals, anyIntervals, anyIntervals, (a, b, c) => {
        const merged = mergeIntervals(steps, [has(1, a), has(2, b), has(3, c)]);
        const stretches = (merged?.intervals ?? []).filter((one) => one.endMs > one.startMs);
        return stretches.every((one, at) => at === 0 || stretches[at - 1]!.endMs <= one.startMs);
      }),
    );
  });

  test('does not depend on the order of devices and intervals', () => {
    const shuffled = fc
      .tuple(anyIntervals, anyIntervals)
      .chain(([a, b]) =>
        fc.tuple(
          fc.constant([a, b] as const),
          fc.shuffledSubarray(a, { minLength: a.length }),
          fc.shuffledSubarray(b, { minLength: b.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([[a, b], c, d]) => {
        expect(mergeIntervals(steps, [has(2, d), has(1, c)])).toEqual(
          mergeIntervals(steps, [has(1, a), has(2, b)]),
        );
      }),
    );
  });
});
