import { describe, expect, test } from 'vitest';
import { parseDay } from '../days.ts';
import { ageOn } from './age.ts';
import { maxHeartRateOn, type HeartRateFacts } from './max-heart-rate.ts';

const day = parseDay('2026-03-02')!;
const unknown: HeartRateFacts = { entered: null, birthDay: null, highestByDay: new Map() };
/** Predicts 208 − 0.7 × 40 = 180, of which 85% is 153. */
const forty: HeartRateFacts = { ...unknown, birthDay: parseDay('1986-03-02') };

describe('maximum heart rate', () => {
  test('uses the value that the user entered before everything else', () => {
    expect(maxHeartRateOn(day, { ...forty, entered: 171.5, highestByDay: new Map([[day, 200]]) })).toBe(
      171.5,
    );
  });

  test('is predicted from the age on that day', () => {
    expect(maxHeartRateOn(day, forty)).toBe(180);
    expect(maxHeartRateOn(day - 1, forty)).toBeCloseTo(208 - 0.7 * 39, 10);
    expect(maxHeartRateOn(day, unknown)).toBe(185);
  });

  test('uses the highest observed value if it reaches 85% of the prediction', () => {
    const observed = (bpm: number) => new Map([[day - 3, bpm]]);
    expect(maxHeartRateOn(day, { ...forty, highestByDay: observed(153) })).toBe(153);
    expect(maxHeartRateOn(day, { ...forty, highestByDay: observed(152) })).toBe(180);
    expect(maxHeartRateOn(day, { ...forty, highestByDay: observed(201) })).toBe(201);
    expect(maxHeartRateOn(day, { ...unknown, highestByDay: observed(158) })).toBe(158);
    expect(maxHeartRateOn(day, { ...unknown, highestByDay: observed(157) })).toBe(185);
  });

  test('considers the last 180 days, including the day itself, and no later days', () => {
    const highestByDay = new Map([
      [day - 180, 199],
      [day - 179, 190],
      [day, 170],
      [day + 1, 198],
    ]);
    expect(maxHeartRateOn(day, { ...forty, highestByDay })).toBe(190);
    expect(maxHeartRateOn(day + 1, { ...forty, highestByDay })).toBe(198);
    expect(maxHeartRateOn(day - 1, { ...forty, highestByDay })).toBe(199);
  });
});

test('counts completed years, including for birthdays on February 29', () => {
  const on = (birth: string, date: string) => ageOn(parseDay(birth)!, parseDay(date)!);
  expect(on('1990-04-12', '2026-04-11')).toBe(35);
  expect(on('1990-04-12', '2026-04-12')).toBe(36);
  expect(on('2000-02-29', '2026-02-27')).toBe(25);
  expect(on('2000-02-29', '2026-03-01')).toBe(26);
  expect(on('2026-03-02', '2020-01-01')).toBe(0);
});
