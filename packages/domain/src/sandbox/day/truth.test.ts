import { archetypes, type Archetype } from '@tributary/contract';
import { describe, expect, test } from 'vitest';
import { parseDay } from '../../days.ts';
import { roundTo } from '../../round.ts';
import { traitsOf } from '../person/archetypes.ts';
import { maxHeartRateOf } from './heart.ts';
import { sleepOf, vitalsOf } from './night.ts';
import { planDays } from './plan.ts';
import { truthOf, type DayTruth } from './truth.ts';
import { distancesOnFoot } from './workout.ts';

type LightDay = Pick<DayTruth, 'plan' | 'vitals'>;

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
        [436, 457, 76, 95, 51.6, 58, 14.8, 6632, 241],
        [428, 465, 86, 97, 52.7, 59, 15.1, 13_395, 521],
        [460, 529, 72, 104, 42.2, 64, 15.5, 6104, 222],
        [363, 428, 62, 75, 44.1, 61, 15.4, 10_235, 567],
        [408, 459, 63, 89, 43.1, 62, 15.3, 8442, 306],
        [426, 465, 65, 87, 49.3, 60, 15.1, 6696, 604],
        [467, 500, 88, 96, 49.7, 59, 14.9, 5651, 205],
      ],
    ],
    [
      'athlete',
      [
        [500, 530, 97, 113, 93.4, 46, 13.7, 17_589, 799],
        [449, 490, 81, 99, 85.6, 49, 13.7, 8699, 789],
        [483, 500, 82, 108, 71.7, 51, 13.9, 22_877, 1092],
        [488, 546, 122, 116, 78.3, 48, 13.3, 9406, 720],
        [498, 541, 106, 120, 68.7, 49, 13.7, 9700, 940],
        [511, 573, 95, 113, 73.9, 49, 13.9, 10_359, 1779],
        [516, 543, 96, 106, 52.6, 49, 13.6, 11_649, 474],
      ],
    ],
    [
      'shift_worker',
      [
        [286, 350, 41, 55, 24.2, 71, 15.4, 5881, 239],
        [375, 449, 52, 83, 25.9, 70, 15.3, 6155, 251],
        [369, 430, 52, 64, 21.3, 70, 15.6, 5638, 229],
        [410, 512, 65, 78, 23.0, 70, 15.9, 8657, 352],
        [410, 434, 59, 50, 22.9, 69, 15.2, 8121, 331],
        [413, 498, 68, 85, 25.8, 69, 15.2, 4586, 187],
        [375, 428, 52, 69, 32.6, 66, 15.1, 10_475, 469],
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
/** Correlation with the value some days earlier. */
function autocorrelation(lives: LightDay[][], of: (day: LightDay) => number, lag: number): number {
  const centred = lives.map((days) => {
    const values = days.map(of);
    const mean = sum(values) / values.length;
    return values.map((value) => value - mean);
  });
  const products = centred.flatMap((values) => values.slice(lag).map((value, at) => value * values[at]!));
  return sum(products) / sum(centred.flat().map((value) => value ** 2));
}
/** Rounded as devices report it. */
const lnRmssd = (day: LightDay) => Math.log(roundTo(Math.exp(day.vitals.lnRmssd), 1));
const restingHeartRate = (day: LightDay) => Math.round(day.vitals.restingHeartRate);

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
  ['office_worker', 8342, -0.42],
  ['athlete', 14_488, -0.49],
  ['shift_worker', 9323, -0.41],
  // Some of them oversleep and walk later than planned.
  ['poor_sleeper', 6117, -0.47],
  ['sedentary', 3300, -0.4],
  ['older_adult', 7343, -0.52],
  ['illness', 6490, -0.81],
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

/** Months of several people of an archetype, without their movement. */
function monthsOf(archetype: Archetype): LightDay[][] {
  return ['1', '2', '3', '4', '5', '6'].map((seed) =>
    planDays({ seed, archetype, firstDay }, 7, 126).map((plan) => ({
      plan,
      vitals: vitalsOf(plan, sleepOf(plan)),
    })),
  );
}

describe.each(people)('months of $archetype', ({ archetype, weeks }) => {
  const months = monthsOf(archetype);

  test('have a heart rate variability that carries over to the next day', () => {
    const r = autocorrelation(months, lnRmssd, 1);
    expect(r).toBeGreaterThan(0.3);
    expect(r).toBeLessThan(0.5);
  });

  test('have a weight that changes slowly', () => {
    const usual = traitsOf[archetype].weightKg;
    for (const days of months) {
      const weights = days.map(({ plan }) => plan.weightKg);
      for (const [at, weight] of weights.entries()) {
        expect(Math.abs(weight - usual)).toBeLessThan(4);
        if (at > 0) expect(Math.abs(weight - weights[at - 1]!)).toBeLessThan(0.6);
      }
      expect(Math.max(...weights) - Math.min(...weights)).toBeGreaterThan(0.5);
    }
    expect(autocorrelation(months, ({ plan }) => plan.weightKg, 1)).toBeGreaterThan(0.9);
  });

  test('have steps of plausible length', () => {
    const ratios = weeks.flat().map(({ plan, steps, workout }) => {
      const km = sum(distancesOnFoot(plan, steps, workout));
      return { metres: (km * 1000) / sum(steps), isRun: workout?.sport === 'running' };
    });
    for (const { metres, isRun } of ratios) {
      expect(metres).toBeGreaterThanOrEqual(0.65);
      if (!isRun) expect(metres).toBeLessThanOrEqual(0.8);
    }
    expect(sum(ratios.map(({ metres }) => metres)) / ratios.length).toBeLessThanOrEqual(0.8);
  });
});

describe('a menstrual cycle', () => {
  const temperatureOf = ({ vitals }: LightDay) => vitals.skinTemperature;
  const months = monthsOf('office_worker');
  const average = (days: LightDay[], of: (day: LightDay) => number) => sum(days.map(of)) / days.length;

  test('repeats in the skin temperature about every month', () => {
    for (const days of months) {
      const byLag = [26, 27, 28, 29, 30, 31].map((lag) => autocorrelation([days], temperatureOf, lag));
      expect(Math.max(...byLag)).toBeGreaterThan(0.3);
      expect(autocorrelation([days], temperatureOf, 14)).toBeLessThan(0);
    }
  });

  test('raises skin temperature and resting heart rate in its second half', () => {
    const warm = months.flat().filter(({ plan }) => plan.luteal === 1);
    const cool = months.flat().filter(({ plan }) => plan.luteal === 0);
    expect(average(warm, temperatureOf) - average(cool, temperatureOf)).toBeCloseTo(0.35, 1);
    expect(average(warm, restingHeartRate) - average(cool, restingHeartRate)).toBeGreaterThan(1.5);
  });

  test('shows in one archetype', () => {
    const having = archetypes.filter((one) => traitsOf[one].hasCycle);
    expect(having).toEqual(['office_worker']);
    for (const archetype of archetypes.filter((one) => one !== 'office_worker'))
      for (const { plan } of monthsOf(archetype)[0]!) expect(plan.luteal).toBe(0);
  });
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
