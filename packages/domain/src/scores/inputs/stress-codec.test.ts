import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeStress, encodeStress } from './stress-codec.ts';

const midnightMs = Date.parse('2026-03-02T00:00:00Z');

test('places samples at the start of their epoch', () => {
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

test('encodes and decodes any day without loss, in about two bytes per epoch', () => {
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

test('rejects truncated data and unknown versions', () => {
  const bytes = encodeStress([{ slot: 3, tenths: 500 }]);
  expect(() => decodeStress(Uint8Array.of(9, ...bytes.slice(1)), 0)).toThrow('unsupported stress version 9');
  expect(() => decodeStress(bytes.slice(0, -1), 0)).toThrow('unexpected end of data');
});
