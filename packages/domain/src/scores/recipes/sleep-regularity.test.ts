import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sleepRegularity, type SleepMinutes } from './sleep-regularity.ts';

const noon = 12 * 60;

/** From 23:00 to 07:00, shifted by some minutes. */
const night = (day: number, laterMinutes = 0): SleepMinutes => ({
  startMinute: day * 1440 + 23 * 60 + laterMinutes,
  endMinute: day * 1440 + 31 * 60 + laterMinutes,
});
const week = [0, 1, 2, 3, 4, 5, 6];

test('is 100 for the same night every day', () => {
  expect(
    sleepRegularity(
      week.map((day) => night(day)),
      noon,
      7,
    ),
  ).toBe(100);
});

test('is 83.3 if every other night is an hour later', () => {
  const shifted = week.map((day) => night(day, day % 2 === 1 ? 60 : 0));
  expect(sleepRegularity(shifted, noon, 7)).toBeCloseTo(83.3333, 4);
});

test('is lowest for eight hours of sleep if every other night is half a day later', () => {
  const turned = week.map((day) => night(day, day % 2 === 1 ? 720 : 0));
  expect(sleepRegularity(turned, 23 * 60, 6)).toBeCloseTo(-100 + 200 / 3, 9);
});

test('counts overlapping sessions once, in any order', () => {
  const twice = week.flatMap((day) => [night(day, 30), night(day)]);
  const once = week.map((day) => ({
    startMinute: night(day).startMinute,
    endMinute: night(day, 30).endMinute,
  }));
  expect(sleepRegularity(twice.toReversed(), noon, 7)).toBe(sleepRegularity(once, noon, 7));
});

test('ignores sleep outside the days', () => {
  const others = [night(-1, -300), night(7)];
  expect(sleepRegularity([...others, ...week.map((day) => night(day))], noon, 7)).toBe(100);
});

test('is null for a single day', () => {
  expect(sleepRegularity([night(0)], noon, 1)).toBeNull();
  expect(sleepRegularity([night(0), night(1)], noon, 2)).toBe(100);
});

/** Reference implementation that checks every minute. */
function minuteByMinute(sessions: readonly SleepMinutes[], firstMinute: number, days: number): number {
  const isAsleep = (minute: number) =>
    sessions.some(({ startMinute, endMinute }) => startMinute <= minute && minute < endMinute);
  const states = Array.from({ length: days * 1440 }, (_, minute) => isAsleep(firstMinute + minute));
  const same = states.filter((state, minute) => minute >= 1440 && state === states[minute - 1440]).length;
  return -100 + (200 * same) / ((days - 1) * 1440);
}

test('gives the same result as checking every minute', () => {
  const session = fc
    .tuple(fc.integer({ min: -2000, max: 8000 }), fc.integer({ min: 0, max: 900 }))
    .map(([startMinute, length]) => ({ startMinute, endMinute: startMinute + length }));
  fc.assert(
    fc.property(fc.array(session, { maxLength: 10 }), fc.integer({ min: 2, max: 5 }), (sessions, days) => {
      expect(sleepRegularity(sessions, 100, days)).toBe(minuteByMinute(sessions, 100, days));
    }),
    { numRuns: 200, seed: 3 },
  );
});
