import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeFacts, encodeFacts } from './day-facts-codec.ts';
import type { ObservedFacts } from '../daily/observed-facts.ts';
import type { DayFacts, WorkoutFacts } from './day-facts.ts';

const tenths = (max: number) => fc.integer({ min: 0, max: max * 10 }).map((value) => value / 10);
const amount = fc.oneof(
  fc.integer({ min: 0, max: 1500 }),
  fc.double({ min: 0, max: 1500, noNaN: true }).filter((value) => !Object.is(value, -0)),
);
const minutes = fc.array(fc.tuple(amount, tenths(250)), { maxLength: 20 });
const workout: fc.Arbitrary<WorkoutFacts> = fc.record(
  {
    id: fc.uuid(),
    minutes: amount,
    heartRate: minutes,
    zoneMinutes: fc.oneof(fc.constant([]), fc.array(amount, { minLength: 5, maxLength: 5 })),
    rpe: fc.option(fc.integer({ min: 0, max: 10 })),
    share: fc.double({ min: 0, max: 0.99, noNaN: true }),
  },
  { requiredKeys: ['id', 'minutes', 'heartRate', 'zoneMinutes', 'rpe'] },
);
const count = (max: number) => fc.integer({ min: 0, max });
const observed: fc.Arbitrary<ObservedFacts> = fc.record({
  stepHours: fc.option(fc.record({ located: count(200_000), activeHours: count(25) })),
  longestInactivity: fc.option(count(1500)),
  heartRateDip: fc.option(fc.double({ min: -100, max: 100, noNaN: true })),
  glucose: fc.option(fc.record({ quarters: count(99).map((at) => at + 1), mean: amount })),
});
const scoreFacts = {
  coveredMinutes: amount,
  awake: minutes,
  workouts: fc.array(workout, { maxLength: 4 }),
  hrvKind: fc.constantFrom(null, 'rmssd', 'sdnn'),
  epochs: fc
    .uniqueArray(
      fc.record({
        slot: fc.integer({ min: 0, max: 299 }),
        bpm: tenths(250),
        hrv: fc.option(tenths(300)),
      }),
      { selector: ({ slot }) => slot },
    )
    .map((epochs) => epochs.toSorted((a, b) => a.slot - b.slot)),
};
const facts: fc.Arbitrary<DayFacts> = fc.record(
  { ...scoreFacts, observed },
  { requiredKeys: ['coveredMinutes', 'awake', 'workouts', 'hrvKind', 'epochs'] },
);

test('encodes and decodes facts without loss', () => {
  fc.assert(
    fc.property(facts, (day) => {
      expect(decodeFacts(encodeFacts(day))).toEqual(day);
    }),
  );
});

test('appends what was observed besides, so that earlier releases read the rest', () => {
  fc.assert(
    fc.property(fc.record(scoreFacts), observed, (day, besides) => {
      const plain = encodeFacts(day);
      expect(encodeFacts({ ...day, observed: besides }).slice(0, plain.length)).toEqual(plain);
    }),
  );
});

test('distinguishes a variability of 0 from a missing one', () => {
  const day: DayFacts = {
    coveredMinutes: 0,
    awake: [],
    workouts: [],
    hrvKind: 'sdnn',
    epochs: [
      { slot: 7, bpm: 61.5, hrv: 0 },
      { slot: 8, bpm: 61.5, hrv: null },
    ],
  };
  expect(decodeFacts(encodeFacts(day)).epochs).toEqual(day.epochs);
});

test('encodes a day of a watch in less than two kilobytes', () => {
  const day: DayFacts = {
    coveredMinutes: 1440,
    awake: Array.from({ length: 80 }, (_, at) => [12, 50 + at]),
    workouts: [],
    hrvKind: 'rmssd',
    epochs: Array.from({ length: 180 }, (_, at) => ({ slot: at + 84, bpm: 70.5, hrv: 42.1 })),
  };
  expect(encodeFacts(day).length).toBeLessThan(2_000);
});

test('decodes facts of the first version, which had no shares', () => {
  const id = '0123456789ab4def8123456789abcdef';
  const [nine, thirty, five] = ['0000000000002240', '0000000000003e40', '0000000000001440'];
  const first = `01${nine}0001${id}${thirty}01dc0b011e00${five}0000`;
  expect(decodeFacts(Buffer.from(first, 'hex'))).toEqual({
    coveredMinutes: 9,
    awake: [],
    workouts: [
      {
        id: '01234567-89ab-4def-8123-456789abcdef',
        minutes: 30,
        heartRate: [[30, 150]],
        zoneMinutes: [],
        rpe: 5,
      },
    ],
    hrvKind: null,
    epochs: [],
  });
});

test('rejects truncated data and unknown versions', () => {
  const day: DayFacts = { coveredMinutes: 1, awake: [[1, 60]], workouts: [], hrvKind: null, epochs: [] };
  const bytes = encodeFacts(day);
  expect(() => decodeFacts(Uint8Array.of(3, ...bytes.slice(1)))).toThrow('unsupported day facts version 3');
  for (let length = 0; length < bytes.length; length += 1)
    expect(() => decodeFacts(bytes.slice(0, length))).toThrow('unexpected end of data');
});
