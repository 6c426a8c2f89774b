import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMetric, metrics } from '../catalog/catalog.ts';
import { uuidBytes, type Owner } from '../samples/owner.ts';
import { decodeDeviceDay, encodeDeviceDay } from './device-day-codec.ts';
import {
  emptyDeviceDay,
  metricsOfDay,
  readingOfDay,
  reportTotal,
  setPartial,
  valueOfDay,
  type DeviceDay,
} from './device-day.ts';

const day = 20_500;
const no = (id: string) => findMetric(id)!.no;
const owner = (createdMs: number): Owner => ({
  createdMs,
  batchId: uuidBytes('0d9c1c55-3f0e-4d4b-9a52-6f6f3f1f7f10'),
  utcOffsetMinutes: null,
  unitCode: 0,
});
const part = (over: object) => ({
  count: 1,
  sum: 0,
  observedMs: 60_000,
  untilMs: 0,
  coveredMs: 60_000,
  weighted: 0,
  min: 0,
  max: 0,
  lastMs: day * 86_400_000,
  last: 0,
  unitCode: 0,
  readings: null,
  ...over,
});
const single = (micros: number, unitCode = 0, timeMs = day * 86_400_000) => ({
  readings: [{ timeMs, micros, unitCode }],
});

test('computes the heart rate of a day from samples, with its lowest and highest minute', () => {
  const content = emptyDeviceDay();
  setPartial(content, no('heart_rate'), 7, part({ weighted: 60e6, min: 60e6, max: 60e6 }));
  setPartial(content, no('heart_rate'), 6, part({ weighted: 90e6, min: 90e6, max: 90e6 }));
  expect(valueOfDay(content, no('heart_rate'))).toBe(75e6);
  expect(valueOfDay(content, no('heart_rate_min'))).toBe(60e6);
  expect(valueOfDay(content, no('heart_rate_max'))).toBe(90e6);
  expect(metricsOfDay(content)).toEqual(new Set(['heart_rate', 'heart_rate_min', 'heart_rate_max'].map(no)));
  setPartial(content, no('heart_rate'), 6, null);
  setPartial(content, no('heart_rate'), 7, null);
  expect(valueOfDay(content, no('heart_rate'))).toBeNull();
});

test('prefers reported totals to samples and later totals to earlier ones, in any order of arrival', () => {
  const content = emptyDeviceDay();
  setPartial(content, no('steps'), 1, part({ sum: 5_000e6 }));
  expect(valueOfDay(content, no('steps'))).toBe(5_000e6);
  expect(reportTotal(content, no('steps'), { micros: 8_000e6, owner: owner(20) })).toBe('new');
  expect(reportTotal(content, no('steps'), { micros: 7_000e6, owner: owner(10) })).toBe('duplicate');
  expect(valueOfDay(content, no('steps'))).toBe(8_000e6);
  expect(reportTotal(content, no('steps'), { micros: 9_000e6, owner: owner(30) })).toBe('updated');
  expect(valueOfDay(content, no('steps'))).toBe(9_000e6);
});

test('returns the unit of the data that the value comes from', () => {
  const content = emptyDeviceDay();
  expect(readingOfDay(content, no('weight'))).toBeNull();
  setPartial(
    content,
    no('weight'),
    day * 6 + 1,
    part({ last: 72e6, unitCode: 14, ...single(72e6, 14, day * 86_400_000 + 5) }),
  );
  setPartial(content, no('weight'), day * 6, part({ last: 71e6, unitCode: 9, ...single(71e6, 9) }));
  const decoded = () => decodeDeviceDay(encodeDeviceDay(content, day), day);
  expect(readingOfDay(decoded(), no('weight'))).toMatchObject({
    micros: 72e6,
    from: 'samples',
    unitCode: 14,
  });
  const reportedTotal = { micros: 70e6, owner: { ...owner(1), unitCode: 16 } };
  reportTotal(content, no('weight'), reportedTotal);
  expect(readingOfDay(decoded(), no('weight'))).toMatchObject({
    micros: 70e6,
    from: 'reported',
    unitCode: 16,
  });
  content.fromSessions.set(no('asleep'), 400e6);
  expect(readingOfDay(decoded(), no('asleep'))).toMatchObject({
    micros: 400e6,
    from: 'sessions',
    unitCode: 0,
  });
});

test('rejects an implausible daily sum', () => {
  const content = emptyDeviceDay();
  setPartial(content, no('steps'), 1, part({ sum: 200_001e6 }));
  expect(valueOfDay(content, no('steps'))).toBeNull();
});

test('takes the latest value from the latest part', () => {
  const content = emptyDeviceDay();
  setPartial(content, no('height'), 2, part({ last: 172e6, lastMs: day * 86_400_000 + 5 }));
  setPartial(content, no('height'), 1, part({ last: 171e6, lastMs: day * 86_400_000 + 1 }));
  expect(valueOfDay(content, no('height'))).toBe(172e6);
});

test('encodes and decodes a day without loss and gives equal content equal bytes', () => {
  const measured = metrics.filter(({ origin }) => origin === 'measured');
  const anyMetric = fc.constantFrom(...measured);
  const number = fc.double({ min: 0, max: 1e12, noNaN: true });
  const whole = fc.integer({ min: -1_000_000, max: 2_000_000_000 });
  const totals = fc.array(fc.tuple(anyMetric, whole, fc.integer({ min: 0, max: 3 })), { maxLength: 8 });
  const parts = fc.array(fc.tuple(anyMetric, fc.integer({ min: 0, max: 11 }), number, whole), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(totals, parts, (reported, sampled) => {
      const firstChunk = (day - 1) * 6;
      const build = (order: <T>(list: T[]) => T[]): DeviceDay => {
        const content = emptyDeviceDay();
        const latest = new Map(reported.map((entry) => [entry[0].no, entry]));
        for (const [metric, micros, created] of order([...latest.values()]))
          content.reported.set(metric.no, { micros, owner: owner(day * 86_400_000 + created) });
        const last = new Map(sampled.map((entry) => [`${entry[0].no}/${entry[1]}`, entry]));
        for (const [metric, chunk, weighted, sum] of order([...last.values()]))
          setPartial(
            content,
            metric.no,
            firstChunk + chunk,
            part({
              weighted,
              sum,
              min: weighted,
              max: weighted,
              last: sum,
              untilMs: day * 86_400_000 + chunk,
              readings: metric.group === 'body_composition' ? single(sum, chunk).readings : null,
            }),
          );
        return content;
      };
      const content = build((list) => list);
      const bytes = encodeDeviceDay(content, day);
      expect(
        encodeDeviceDay(
          build((list) => list.toReversed()),
          day,
        ),
      ).toEqual(bytes);
      const again = decodeDeviceDay(bytes, day);
      expect(encodeDeviceDay(again, day)).toEqual(bytes);
      for (const { no: metricNo } of measured)
        expect(valueOfDay(again, metricNo)).toBe(valueOfDay(content, metricNo));
    }),
    { numRuns: 300 },
  );
});
