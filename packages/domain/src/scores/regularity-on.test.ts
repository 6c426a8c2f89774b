import { describe, expect, test } from 'vitest';
import { parseDay } from '../days.ts';
import { PersonDays } from './person-days.ts';
import { regularityOn } from './regularity-on.ts';

const day = parseDay('2026-03-31')!;

/** Sleep by local times such as `2026-03-30T23:00`; each belongs to the day it ends on. */
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
/** Nights that end on some of the days up to the last one, from the evening before. */
const nights = (daysAgo: readonly number[], from = '23:00', to = '07:00') =>
  daysAgo.map((ago): [string, string] => [`${date(day - ago - 1)}T${from}`, `${date(day - ago)}T${to}`]);
const week = [6, 5, 4, 3, 2, 1, 0];

test('identical nights are regular', () => {
  expect(regularityOn(sleeper(nights(week)), day)).toBe(100);
});

test('a shift by an hour every other day costs 16.7', () => {
  const shifted = sleeper([
    ...nights([6, 4, 2, 0]),
    ...[5, 3, 1].map((ago): [string, string] => [`${date(day - ago)}T00:00`, `${date(day - ago)}T08:00`]),
  ]);
  expect(regularityOn(shifted, day)).toBeCloseTo(83.33, 2);
});

test('sleep on four of the seven days is needed', () => {
  expect(regularityOn(sleeper(nights([3, 2, 1])), day)).toBeNull();
  expect(regularityOn(sleeper(nights([3, 2, 1, 0])), day)).toBe(100);
  expect(regularityOn(sleeper(nights([7, 6, 5, 4])), day)).toBeNull();
  expect(regularityOn(sleeper([]), day)).toBeNull();
});

test('a night that nobody recorded is no sleepless one', () => {
  expect(regularityOn(sleeper(nights([6, 5, 1, 0])), day)).toBe(100);
  expect(regularityOn(sleeper(nights([6, 4, 2, 0])), day)).toBeNull();
});

test('what is before the seven days or after noon of the date is not looked at', () => {
  const odd: [string, string][] = [
    [`${date(day - 7)}T02:00`, `${date(day - 7)}T11:00`],
    [`${date(day)}T12:00`, `${date(day)}T15:00`],
  ];
  expect(regularityOn(sleeper([...nights(week), ...odd]), day)).toBe(100);
});

test('a nap counts in the day from noon to noon that it lies in', () => {
  // One hour of the six days that are compared, once with the day before and once with the day after.
  const nap: [string, string] = [`${date(day - 3)}T14:00`, `${date(day - 3)}T15:00`];
  expect(regularityOn(sleeper([...nights(week), nap]), day)).toBeCloseTo(100 - (200 * 2) / (6 * 24), 9);
});

test('sleep over noon is divided', () => {
  const long: [string, string] = [`${date(day - 3)}T11:00`, `${date(day - 3)}T13:00`];
  expect(regularityOn(sleeper([...nights(week), long]), day)).toBeCloseTo(100 - (200 * 4) / (6 * 24), 9);
});

describe('where clocks are changed', () => {
  test('regular is who goes by the clock on the wall', () => {
    expect(regularityOn(sleeper(nights(week), 'Europe/Berlin'), day)).toBe(100);
  });

  test('the nights around are compared as at any other time', () => {
    const late = [...nights([6, 5, 4, 3]), ...nights([2, 1, 0], '23:00', '08:00')];
    expect(regularityOn(sleeper(late, 'Europe/Berlin'), day)).toBe(regularityOn(sleeper(late), day));
  });
});
