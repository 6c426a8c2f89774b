import { archetypes } from '@tributary/contract';
import { expect, test } from 'vitest';
import { parseDay } from '../days.ts';
import { dailyTruth } from './daily-truth.ts';

const firstDay = parseDay('2026-03-02')!;

test('is the same for every requested range', () => {
  const person = { seed: '7', archetype: 'athlete', firstDay } as const;
  expect(dailyTruth(person, 3, 5)).toEqual(dailyTruth(person, 0, 9).slice(3, 6));
});

test.each(archetypes)('has plausible days of %s', (archetype) => {
  const days = dailyTruth({ seed: '7', archetype, firstDay }, 0, 13);
  expect(days.map(({ day }) => day - firstDay)).toEqual([...Array(14).keys()]);
  for (const { steps, distance, asleepMinutes, restingHeartRate, meanHeartRate, exerciseMinutes } of days) {
    expect(distance / steps).toBeGreaterThan(0.00064);
    expect(asleepMinutes).toBeGreaterThanOrEqual(150);
    expect(meanHeartRate).toBeGreaterThan(restingHeartRate);
    expect(exerciseMinutes).toBeLessThan(300);
  }
  const trains = archetype !== 'sedentary';
  expect(days.some(({ workouts }) => workouts === 1)).toBe(trains);
});
