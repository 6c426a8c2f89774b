import { expect, test } from 'vitest';
import { findMetric } from '../../catalog/catalog.ts';
import { emptyMonth, encodeMonth } from '../../day/canonical-month.ts';
import { placeInMonth } from '../../day/month.ts';
import { parseDay } from '../../days.ts';
import { toMicros } from '../../samples/micros.ts';
import { encodeFacts } from './day-facts-codec.ts';
import { PersonDays } from './person-days.ts';

const person = { birthDay: null, sex: null, weightKg: null, maxHeartRate: null, timezone: 'UTC' };
const day = parseDay('2026-03-10')!;
const newDays = () => new PersonDays(person, { from: day, to: day + 1 });

test('returns values only for the metric and day they were set for', () => {
  const days = newDays();
  days.set('weight', day, 70.5);
  expect(days.valueOf('weight', day)).toBe(70.5);
  expect(days.valueOf('weight', day - 1)).toBeNull();
  expect(days.valueOf('steps', day)).toBeNull();
  expect(days.valueOf('weight', day - 5_000)).toBeNull();
  days.set('weight', day, null);
  expect(days.valueOf('weight', day)).toBeNull();
});

test('aligns histories to the calendar, oldest first, without the day itself', () => {
  const days = newDays();
  days.set('resting_heart_rate', day - 3, 50);
  days.set('resting_heart_rate', day - 1, 52);
  days.set('resting_heart_rate', day, 99);
  expect(days.before('resting_heart_rate', day, 4)).toEqual([null, 50, null, 52]);
  expect(days.countBefore('resting_heart_rate', day, 60)).toBe(2);
  expect(days.countBefore('resting_heart_rate', day, 1)).toBe(1);
  expect(days.countBefore('weight', day, 60)).toBe(0);
});

test('provides sixty days of history, also for the next day', () => {
  const days = newDays();
  days.set('training_load', day - 60, 10);
  expect(days.before('training_load', day, 60)[0]).toBe(10);
  expect(days.before('training_load', day + 1, 60)[0]).toBeNull();
});

test('searches half a year for the highest heart rate', () => {
  const days = newDays();
  days.set('heart_rate_max', day - 179, 190);
  expect(days.valueOf('heart_rate_max', day - 179)).toBe(190);
});

test('returns the latest value of several days, including the day itself', () => {
  const days = newDays();
  days.set('weight', day - 59, 80);
  expect(days.latest('weight', day, 60)).toBe(80);
  expect(days.latest('weight', day + 1, 60)).toBeNull();
  days.set('weight', day, 70);
  expect(days.latest('weight', day, 60)).toBe(70);
});

test('loads stored months with their sources, within the days that scores use', () => {
  const days = newDays();
  const { no } = findMetric('sleep_heart_rate_variability')!;
  for (const [first, value, source] of [
    [day - 9, 41, 3],
    [day - 90, 42, 4],
  ] as const) {
    const { month, index, daysInMonth } = placeInMonth(first);
    const content = emptyMonth(daysInMonth);
    content[index] = { micros: toMicros(value), source, contributors: [] };
    days.load(no, month, encodeMonth(content));
  }
  expect(days.valueOf('sleep_heart_rate_variability', day - 9)).toBe(41);
  expect(days.sourceOf('sleep_heart_rate_variability', day - 9)).toBe(3);
  expect(days.sourceOf('sleep_heart_rate_variability', day - 8)).toBe(0);
  expect(days.valueOf('sleep_heart_rate_variability', day - 90)).toBeNull();
});

test('decodes facts only when they are read', () => {
  const facts = { coveredMinutes: 7, awake: [], workouts: [], hrvKind: null, epochs: [] };
  const days = newDays();
  days.facts.set(day, encodeFacts(facts));
  days.facts.set(day - 1, Uint8Array.of(99));
  expect(days.facts.get(day)).toEqual(facts);
  expect(days.facts.get(day)).toBe(days.facts.get(day));
  expect(() => days.facts.get(day - 1)).toThrow('unsupported day facts version 99');
  expect(days.facts.get(day + 1)).toBeUndefined();
});

test('has at most one main sleep per day', () => {
  const days = newDays();
  const nap = { startMs: 0, endMs: 1, isMain: false };
  const night = { startMs: 2, endMs: 3, isMain: true };
  days.sleep.set(day, [nap, night]);
  days.sleep.set(day + 1, [nap]);
  expect(days.mainSleepOf(day)).toBe(night);
  expect(days.mainSleepOf(day + 1)).toBeNull();
  expect(days.mainSleepOf(day - 1)).toBeNull();
});
