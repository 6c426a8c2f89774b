import { describe, expect, test } from 'vitest';
import { parseDay } from '../../days.ts';
import { PersonDays } from './person-days.ts';
import { regularityOn } from './regularity-on.ts';

const day = parseDay('2026-03-31')!;

/** Sleep by local times such as `2026-03-30T23:00`. Each session belongs to the day it ends on. */
function sleeper(sessions: readonly [from: string, to: string][], timezone = 'UTC'): PersonDays {
  const person = { birthDay: null, sex: null, weightKg: null, maxHeartRate: null, timezone };
  const days = new PersonDays(person, { from: day, to: day });
  for (const [from, to] of sessions) {
    const ends = parseDay(to.slice(0, 10))!;
    const span = { startMs: instantOf(from, timezone), endMs: instantOf(to, timezone), isMain: true };
    days.sleep.set(ends, [...(days.sleep.get(ends) ?? []), span]);
  }
  return days;
}

function instantOf(local: string, timezone: string): number {
  const asUtc = Date.parse(`${local}:00Z`);
  const summer = timezone === 'Europe/Berlin' && asUtc >= Date.parse('2026-03-29T03:00:00Z');
  return asUtc - (timezone === 'Europe/Berlin' ? (summer ? 2 : 1) * 3_600_000 : 0);
}

const date = (at: number) => new Date(at * 86_400_000).toISOString().slice(0, 10);
/** Nights from the evening before that end on some of the days up to the last one. */
const nights = (daysAgo: readonly number[], from = '23:00', to = '07:00') =>
  daysAgo.map((ago): [string, string] => [`${date(day - ago - 1)}T${from}`, `${date(day - ago)}T${to}`]);
const week = [6, 5, 4, 3, 2, 1, 0];

test('rates identical nights as regular', () => {
  expect(regularityOn(sleeper(nights(week)), day)).toBe(100);
});

test('deducts 16.7 for a shift by an hour every other day', () => {
  const shifted = sleeper([
    ...nights([6, 4, 2, 0]),
    ...[5, 3, 1].map((ago): [string, string] => [`${date(day - ago)}T00:00`, `${date(day - ago)}T08:00`]),
  ]);
  expect(regularityOn(shifted, day)).toBeCloseTo(83.33, 2);
});

test('requires sleep on four of the seven days', () => {
  expect(regularityOn(sleeper(nights([3, 2, 1])), day)).toBeNull();
  expect(regularityOn(sleeper(nights([3, 2, 1, 0])), day)).toBe(100);
  expect(regularityOn(sleeper(nights([7, 6, 5, 4])), day)).toBeNull();
  expect(regularityOn(sleeper([]), day)).toBeNull();
});

test('does not treat an unrecorded night as sleepless', () => {
  expect(regularityOn(sleeper(nights([6, 5, 1, 0])), day)).toBe(100);
  expect(regularityOn(sleeper(nights([6, 4, 2, 0])), day)).toBeNull();
});

test('ignores sleep before the seven days and after noon of the date', () => {
  const odd: [string, string][] = [
    [`${date(day - 7)}T02:00`, `${date(day - 7)}T11:00`],
    [`${date(day)}T12:00`, `${date(day)}T15:00`],
  ];
  expect(regularityOn(sleeper([...nights(week), ...odd]), day)).toBe(100);
});

test('counts a nap in the noon-to-noon day it lies in', () => {
  // One hour of the six compared days, once against the day before and once against the day after.
  const nap: [string, string] = [`${date(day - 3)}T14:00`, `${date(day - 3)}T15:00`];
  expect(regularityOn(sleeper([...nights(week), nap]), day)).toBeCloseTo(100 - (200 * 2) / (6 * 24), 9);
});

test('splits sleep that spans noon', () => {
  const long: [string, string] = [`${date(day - 3)}T11:00`, `${date(day - 3)}T13:00`];
  expect(regularityOn(sleeper([...nights(week), long]), day)).toBeCloseTo(100 - (200 * 4) / (6 * 24), 9);
});

describe('regularity across clock changes', () => {
  test('follows local time', () => {
    expect(regularityOn(sleeper(nights(week), 'Europe/Berlin'), day)).toBe(100);
  });

  test('compares the nights around a change like any others', () => {
    const late = [...nights([6, 5, 4, 3]), ...nights([2, 1, 0], '23:00', '08:00')];
    expect(regularityOn(sleeper(late, 'Europe/Berlin'), day)).toBe(regularityOn(sleeper(late), day));
  });
});
