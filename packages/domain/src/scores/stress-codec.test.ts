import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeStress, encodeStress } from './stress-codec.ts';

const midnightMs = Date.parse('2026-03-02T00:00:00Z');

test('epochs become samples where they start', () => {
  const bytes = encodeStress([
    { slot: 0, tenths: 0 },
    { slot: 96, tenths: 301 },
    { slot: 287, tenths: 1000 },
  ]);
  expect(decodeStress(bytes, midnightMs)).toEqual({
    timesMs: ['00:00', '08:00', '23:55'].map((time) => Date.parse(`2026-03-02T${time}:00Z`)),
    micros: [0, 30_100_000, 100_000_000],
    unitCodes: null,
    devices: null,
  });
});

test('any day survives its bytes, in about two bytes an epoch', () => {
  // A day has up to 25 hours.
  const day = fc
    .uniqueArray(fc.integer({ min: 0, max: 299 }))
    .chain((slots) =>
      fc
        .array(fc.integer({ min: 0, max: 1000 }), { minLength: slots.length, maxLength: slots.length })
        .map((all) => slots.toSorted((a, b) => a - b).map((slot, at) => ({ slot, tenths: all[at]! }))),
    );
  fc.assert(
    fc.property(day, (epochs) => {
      const bytes = encodeStress(epochs);
      expect(bytes.length).toBeLessThanOrEqual(3 + 4 * epochs.length);
      const { timesMs, micros } = decodeStress(bytes, midnightMs);
      expect(timesMs).toEqual(epochs.map(({ slot }) => midnightMs + slot * 300_000));
      expect(micros).toEqual(epochs.map(({ tenths }) => tenths * 100_000));
    }),
  );
});

test('bytes that are not of this version, or end too early, are refused', () => {
  const bytes = encodeStress([{ slot: 3, tenths: 500 }]);
  expect(() => decodeStress(Uint8Array.of(9, ...bytes.slice(1)), 0)).toThrow(
    'stress of version 9 cannot be read',
  );
  expect(() => decodeStress(bytes.slice(0, -1), 0)).toThrow('the bytes end too early');
});
