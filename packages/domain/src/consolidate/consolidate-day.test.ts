import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMetric } from '../catalog/catalog.ts';
import { methods } from '../catalog/metric.ts';
import { deviceKinds } from '@tributary/contract';
import type { DeviceFacts } from '../devices/device-facts.ts';
import { consolidateDay, type Candidate } from './consolidate-day.ts';

const steps = findMetric('steps')!;
const restingHeartRate = findMetric('resting_heart_rate')!;

function device(facts: Partial<DeviceFacts>): DeviceFacts {
  return {
    deviceNo: 1,
    stableId: 'a',
    provider: 'garmin',
    onDevice: false,
    kind: 'watch',
    connectedAtMs: 0,
    ...facts,
  };
}

const phone = device({ deviceNo: 1, provider: 'apple_health', kind: 'phone', onDevice: true });
const watch = device({ deviceNo: 2, provider: 'garmin', kind: 'watch' });
const ring = device({ deviceNo: 3, provider: 'oura', kind: 'ring' });

function candidateOf(value: number, by: DeviceFacts, enabled = true): Candidate {
  return { device: by, value, enabled, coverage: 1, total: value, intervals: [] };
}

describe('consolidation of a phone with 5,100 steps, a watch with 8,420 and a ring with 8,790', () => {
  const candidates = [candidateOf(5100, phone), candidateOf(8420, watch), candidateOf(8790, ring)];

  test.each([
    ['max', 8790, 3, [3]],
    ['priority', 5100, 1, [1]],
    ['avg', 22_310 / 3, 1, [1, 2, 3]],
    ['sum', 22_310, 1, [1, 2, 3]],
    ['merge', 8790, 3, [3]], // no intervals, so the largest total
  ] as const)('uses %s to get %d from device %d', (method, value, source, contributors) => {
    expect(consolidateDay(steps, method, candidates)).toMatchObject({ value, source, contributors });
  });

  test('uses 8,420 as max if the ring is excluded', () => {
    const without = [candidateOf(5100, phone), candidateOf(8420, watch), candidateOf(8790, ring, false)];
    expect(consolidateDay(steps, 'max', without)).toMatchObject({ value: 8420, contributors: [2] });
  });
});

test('returns null without candidates or without enabled ones', () => {
  expect(consolidateDay(steps, 'max', [])).toBeNull();
  expect(consolidateDay(steps, 'sum', [candidateOf(1, watch, false)])).toBeNull();
});

test('treats zero as a value', () => {
  expect(consolidateDay(steps, 'max', [candidateOf(0, watch)])?.value).toBe(0);
});

// @contract all/sources: The source is chosen per metric, not per device
test('ranks devices per metric: steps from the watch, heart rate variability from the ring', () => {
  const both = [candidateOf(40, watch), candidateOf(50, ring)];
  expect(consolidateDay(steps, 'priority', both)?.source).toBe(2);
  expect(consolidateDay(findMetric('heart_rate_variability')!, 'priority', both)?.source).toBe(3);
});

// @contract consolidation-update/methods: The watch and phone of one provider count as one value
test('uses one value per provider: that of its highest-ranked device, or the largest for max', () => {
  const old = device({ deviceNo: 4, provider: 'garmin', kind: 'band', stableId: 'b' });
  const candidates = [candidateOf(9000, old), candidateOf(8000, watch), candidateOf(1000, ring)];
  expect(consolidateDay(steps, 'max', candidates)).toMatchObject({ value: 9000, source: 4 });
  expect(consolidateDay(steps, 'sum', candidates)).toMatchObject({ value: 9000, contributors: [2, 3] });
  expect(consolidateDay(steps, 'avg', candidates)).toMatchObject({ value: 4500 });
});

test('ignores disabled devices when it picks the highest-ranked device of a provider', () => {
  const old = device({ deviceNo: 4, provider: 'garmin', kind: 'band', stableId: 'b' });
  const candidates = [candidateOf(9000, old), candidateOf(8000, watch, false)];
  expect(consolidateDay(steps, 'max', candidates)).toMatchObject({ value: 9000, source: 4 });
});

test('breaks ties by rank, then by newer connection, then by ID', () => {
  expect(consolidateDay(steps, 'max', [candidateOf(5, ring), candidateOf(5, watch)])?.source).toBe(2);
  const newer = device({ deviceNo: 5, provider: 'polar', connectedAtMs: 10 });
  expect(consolidateDay(steps, 'max', [candidateOf(5, watch), candidateOf(5, newer)])?.source).toBe(5);
  const smaller = device({ deviceNo: 6, provider: 'polar', stableId: 'A' });
  expect(
    consolidateDay(restingHeartRate, 'priority', [candidateOf(50, watch), candidateOf(60, smaller)])?.source,
  ).toBe(6);
});

const anyCandidates = fc.uniqueArray(
  fc.record({
    device: fc.record({
      deviceNo: fc.integer({ min: 1, max: 1000 }),
      stableId: fc.constantFrom('a', 'b', 'c'),
      provider: fc.constantFrom('oura', 'garmin', 'fitbit', 'apple_health'),
      onDevice: fc.boolean(),
      kind: fc.constantFrom(...deviceKinds),
      connectedAtMs: fc.nat(2),
    }),
    value: fc.double({ min: 0, max: 20_000, noNaN: true }),
    enabled: fc.boolean(),
    coverage: fc.constantFrom(0, 0.1, 0.4, 0.5, 1),
    total: fc.constant(null),
    intervals: fc.constant([]),
  }),
  { selector: ({ device: { stableId, provider } }) => `${provider} ${stableId}`, maxLength: 10 },
);
const anyMethod = fc.constantFrom(...methods);

test('gives exactly the same result for any order of candidates', () => {
  const shuffled = anyCandidates.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(shuffled, anyMethod, ([all, again], method) => {
      expect(consolidateDay(steps, method, again)).toEqual(consolidateDay(steps, method, all));
    }),
    { numRuns: 2000 },
  );
});

test('returns a value within the range of the candidates and a source among the contributors', () => {
  fc.assert(
    fc.property(anyCandidates, anyMethod, (candidates, method) => {
      const values = candidates.filter((one) => one.enabled).map((one) => one.value);
      const canonicalValue = consolidateDay(steps, method, candidates);
      if (canonicalValue === null) return values.length === 0;
      const highest = method === 'sum' ? values.reduce((a, b) => a + b, 0) : Math.max(...values);
      const isWithin =
        canonicalValue.value >= Math.min(...values) * (1 - 1e-12) &&
        canonicalValue.value <= highest * (1 + 1e-12);
      return isWithin && canonicalValue.contributors[0] === canonicalValue.source;
    }),
    { numRuns: 2000 },
  );
});

describe('coverage', () => {
  const heartRate = findMetric('heart_rate')!;
  const of = (value: number, by: DeviceFacts, coverage: number) => ({ ...candidateOf(value, by), coverage });

  test('comes before rank: a device needs half of the best coverage', () => {
    expect(consolidateDay(heartRate, 'priority', [of(150, watch, 0.49), of(58, ring, 1)])?.value).toBe(58);
    expect(consolidateDay(heartRate, 'priority', [of(150, watch, 0.5), of(58, ring, 1)])?.value).toBe(150);
  });

  test('of zero never changes a value', () => {
    fc.assert(
      fc.property(anyCandidates, anyMethod, (candidates, method) => {
        const seen = candidates.filter(({ coverage }) => coverage > 0);
        const unworn = { ...candidateOf(0, device({ deviceNo: 2000, stableId: 'unworn' })), coverage: 0 };
        const before = consolidateDay(steps, method, seen);
        const after = consolidateDay(steps, method, [...seen, unworn]);
        if (before === null) expect(after?.value).toBe(0);
        else expect(after?.value).toBe(before.value);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a health store with a phone and a watch', () => {
  const inStore = { provider: 'apple_health', onDevice: true };
  const storePhone = device({ deviceNo: 7, stableId: 'phone', kind: 'phone', ...inStore });
  const storeWatch = device({ deviceNo: 8, stableId: 'watch', kind: 'watch', ...inStore });
  const counted = (by: DeviceFacts, ...intervals: [start: number, end: number, value: number][]) => ({
    ...candidateOf(
      intervals.reduce((sum, [, , value]) => sum + value, 0),
      by,
    ),
    total: null,
    intervals: intervals.map(([startMs, endMs, value]) => ({ startMs, endMs, value })),
  });
  const candidates = [
    counted(storePhone, [0, 10, 7000], [20, 30, 2000]),
    counted(storeWatch, [20, 30, 2000], [40, 50, 100], [50, 60, 0]),
    candidateOf(6000, ring),
  ];

  test('counts at least what one of its devices reported in total, even if that device counted more later', () => {
    const reported = { ...candidates[0]!, total: 9200 };
    expect(consolidateDay(steps, 'priority', [reported, candidates[1]!])).toMatchObject({
      value: 9200,
      contributors: [7],
    });
    const aged = { ...counted(storePhone, [0, 10, 7000], [40, 60, 5000]), total: 9000 };
    const band = counted(storeWatch, [20, 30, 10], [40, 60, 100]);
    expect(consolidateDay(steps, 'priority', [aged, band])).toMatchObject({ value: 9000, contributors: [7] });
  });

  test('counts as one record, merged over time', () => {
    for (const method of ['priority', 'max'] as const)
      expect(consolidateDay(steps, method, candidates)).toMatchObject({ value: 9100, contributors: [8, 7] });
    expect(consolidateDay(steps, 'avg', candidates)?.value).toBe(7550);
    expect(consolidateDay(steps, 'sum', candidates)?.value).toBe(15_100);
  });

  test('is at least its largest total', () => {
    const totals = [...candidates, { ...candidateOf(12_000, { ...storeWatch, deviceNo: 9, stableId: 'b' }) }];
    expect(consolidateDay(steps, 'priority', totals)).toMatchObject({ value: 12_000, contributors: [9] });
  });
});
