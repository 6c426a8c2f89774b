import { archetypes, type Archetype } from '@tributary/contract';
import { describe, expect, test } from 'vitest';
import { parseDay } from '../../days.ts';
import { roundTo } from '../../round.ts';
import { traitsOf } from '../person/archetypes.ts';
import { maxHeartRateOf } from './heart.ts';
import { truthOf, type DayTruth } from './truth.ts';

/** A Monday. The week ends on 2025-06-15. */
const firstDay = parseDay('2025-06-09')!;
const week = (seed: string, archetype: Archetype) => truthOf({ seed, archetype, firstDay }, 0, 6);
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const napMinutes = ({ nap }: DayTruth) => (nap ? nap.endMinute - nap.startMinute : 0);
const inBedMinutes = ({ night }: DayTruth) => night.endMinute - night.startMinute;

describe('golden weeks of seed 42', () => {
  const columns = (day: DayTruth) => [
    day.night.asleepMinutes + napMinutes(day),
    inBedMinutes(day),
    day.night.deepMinutes,
    day.night.remMinutes,
    Math.exp(day.vitals.lnRmssd),
    day.vitals.restingHeartRate,
    day.vitals.respiratoryRate,
    sum(day.steps),
    day.energy.activeCalories,
  ];

  test.each<[Archetype, number[][]]>([
    [
      'office_worker',
      [
        [436, 457, 76, 95, 50.7, 59, 14.8, 6632, 241],
        [428, 465, 86, 97, 50.5, 60, 15.1, 13_395, 521],
        [460, 529, 72, 104, 39.5, 65, 15.5, 6104, 222],
        [363, 428, 62, 75, 42.3, 62, 15.4, 10_235, 567],
        [408, 459, 63, 89, 40.3, 63, 15.3, 8442, 306],
        [426, 465, 65, 87, 46.9, 61, 15.1, 6696, 604],
        [467, 500, 88, 96, 47.2, 60, 14.9, 5651, 205],
      ],
    ],
    [
      'athlete',
      [
        [500, 530, 97, 113, 93.4, 46, 13.7, 17_589, 799],
        [449, 490, 81, 99, 86.3, 49, 13.7, 8699, 789],
        [483, 500, 82, 108, 67.6, 51, 13.9, 22_877, 1092],
        [488, 546, 122, 116, 80.9, 48, 13.3, 9406, 720],
        [498, 541, 106, 120, 69.7, 49, 13.7, 9700, 940],
        [511, 573, 95, 113, 82.5, 49, 13.9, 10_359, 1779],
        [516, 543, 96, 106, 53.5, 49, 13.6, 11_649, 474],
      ],
    ],
    [
      'shift_worker',
      [
        [286, 350, 41, 55, 24.2, 71, 15.4, 5881, 239],
        [375, 449, 52, 83, 27.1, 70, 15.3, 6155, 251],
        [369, 430, 52, 64, 22.2, 70, 15.6, 5638, 229],
        [410, 512, 65, 78, 25.3, 70, 15.9, 8657, 352],
        [410, 434, 59, 50, 24.6, 69, 15.2, 8121, 331],
        [413, 498, 68, 85, 28.3, 69, 15.2, 4586, 187],
        [375, 428, 52, 69, 34.9, 66, 15.1, 10_475, 469],
      ],
    ],
  ])('generates the expected week for %s', (archetype, expected) => {
    const days = week('42', archetype).map(columns);
    // Cosines and powers may differ in their last bit between platforms, and so may the rounded values.
    days.forEach((day, at) =>
      day.forEach((value, column) =>
        expect(Math.abs(value - expected[at]![column]!), `day ${at}, column ${column}`).toBeLessThanOrEqual(
          1,
        ),
      ),
    );
    expect(days).toHaveLength(7);
  });
});

/** Sixty weeks of every archetype. */
const people = archetypes.map((archetype) => ({
  archetype,
  weeks: Array.from({ length: 60 }, (_, seed) => week(String(seed), archetype)),
}));

/** Correlation of the deviations from each person's own mean. */
function correlation(
  weeks: DayTruth[][],
  x: (day: DayTruth) => number,
  y: (day: DayTruth) => number,
): number {
  const centred = (of: (day: DayTruth) => number) =>
    weeks.flatMap((days) => {
      const mean = sum(days.map(of)) / days.length;
      return days.map((day) => of(day) - mean);
    });
  const [xs, ys] = [centred(x), centred(y)];
  const dot = (a: number[], b: number[]) => sum(a.map((one, at) => one * b[at]!));
  return dot(xs, ys) / Math.sqrt(dot(xs, xs) * dot(ys, ys));
}
/** Rounded as devices report it. */
const lnRmssd = (day: DayTruth) => Math.log(roundTo(Math.exp(day.vitals.lnRmssd), 1));
const restingHeartRate = (day: DayTruth) => Math.round(day.vitals.restingHeartRate);

describe.each(people)('sixty weeks of $archetype', ({ archetype, weeks }) => {
  const days = weeks.flat();

  test('contain nights whose parts add up', () => {
    for (const day of days) {
      const { asleepMinutes, deepMinutes, remMinutes, latencyMinutes, arisingMinutes } = day.night;
      expect(asleepMinutes - deepMinutes - remMinutes).toBeGreaterThan(0);
      expect(inBedMinutes(day) - asleepMinutes - latencyMinutes - arisingMinutes).toBeGreaterThanOrEqual(0);
      expect(day.night.endMinute).toBeGreaterThan(0);
    }
  });

  test('never exceed the maximum heart rate', () => {
    const highest = maxHeartRateOf(traitsOf[archetype]);
    for (const { heart } of days) {
      expect(Math.max(...heart.heartRate)).toBeLessThanOrEqual(highest);
      expect(Math.min(...heart.heartRate)).toBeGreaterThan(30);
    }
  });

  test('contain active energy whose parts add up', () => {
    for (const { energy } of days) expect(Math.round(sum(energy.activeBySlot))).toBe(energy.activeCalories);
  });

  test('contain no workout before the person gets up', () => {
    for (const { night, workout } of days)
      if (workout) expect(workout.startMinute).toBeGreaterThanOrEqual(night.endMinute);
  });

  test('contain no nap that overlaps the night or the workout', () => {
    for (const { nap, night, workout } of days) {
      if (!nap) continue;
      expect(nap.startMinute).toBeGreaterThanOrEqual(night.endMinute + 180);
      expect(nap.endMinute).toBeLessThan(1380);
      if (workout)
        expect(nap.endMinute <= workout.startMinute || nap.startMinute >= workout.endMinute).toBe(true);
    }
  });
});

test.each([
  ['office_worker', 8342, -0.39],
  ['athlete', 14_488, -0.47],
  ['shift_worker', 9323, -0.35],
  // Some of them oversleep and walk later than planned.
  ['poor_sleeper', 6117, -0.44],
  ['sedentary', 3300, -0.4],
  ['older_adult', 7343, -0.48],
  ['illness', 6490, -0.78],
])('gives %s %i steps per day and a lower heart rate at higher variability', (archetype, steps, r) => {
  const { weeks } = people.find((one) => one.archetype === archetype)!;
  const mean = sum(weeks.flat().map((day) => sum(day.steps))) / (60 * 7);
  expect(Math.abs(mean - steps)).toBeLessThanOrEqual(1);
  expect(correlation(weeks, lnRmssd, restingHeartRate)).toBeCloseTo(r, 2);
});

test('correlates longer sleep with better recovery', () => {
  const weeks = people.filter(({ archetype }) => archetype !== 'illness').flatMap((one) => one.weeks);
  const r = correlation(weeks, (day) => day.night.asleepMinutes, lnRmssd);
  expect(r).toBeGreaterThan(0.2);
  expect(r).toBeLessThan(0.45);
});

test('shows illness only from the fifth to the seventh day', () => {
  const days = truthOf({ seed: '42', archetype: 'illness', firstDay }, 0, 20);
  expect(days.flatMap(({ plan }, index) => (plan.isIll ? [index] : []))).toEqual([4, 5, 6]);
  expect(days.slice(4, 7).map(({ workout }) => workout)).toEqual([null, null, null]);
  const { weeks } = people.find((one) => one.archetype === 'illness')!;
  for (const one of weeks) {
    const healthy = sum(one.slice(0, 4).map(restingHeartRate)) / 4;
    expect(sum(one.slice(4).map(restingHeartRate)) / 3).toBeGreaterThan(healthy);
  }
});

describe('a simulated user', () => {
  const numbersOf = (days: DayTruth[]) =>
    JSON.stringify(days, (key, value: unknown) => (key === 'chance' ? undefined : value));

  test('has the same days for every requested range', () => {
    const person = { seed: '3fa2b1c0', archetype: 'athlete', firstDay } as const;
    const long = truthOf(person, 0, 15);
    expect(numbersOf(truthOf(person, 0, 6))).toBe(numbersOf(long.slice(0, 7)));
    expect(numbersOf(truthOf(person, 9, 12))).toBe(numbersOf(long.slice(9, 13)));
  });

  test('has different days with another seed, archetype or first day', () => {
    const person = { seed: '1', archetype: 'office_worker', firstDay } as const;
    const lives = [
      person,
      { ...person, seed: '2' },
      { ...person, archetype: 'illness' as const },
      { ...person, firstDay: firstDay + 1 },
    ].map((one) => numbersOf(truthOf(one, 0, 0)));
    expect(new Set(lives).size).toBe(4);
  });
});
