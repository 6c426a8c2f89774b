import { describe, expect, test } from 'vitest';
import { dayStartMs, parseDay } from '../days.ts';
import type { DayFacts } from './inputs/day-facts.ts';
import { PersonDays } from './inputs/person-days.ts';
import { valuesWithScores } from './daily/daily-values.ts';
import { dailyOfScores, scoreDay, scoreMetrics } from './score-day.ts';
import { scoreTypes } from './score.ts';

const firstDay = parseDay('2026-03-02')!;
const hourMs = 3_600_000;
const person = {
  birthDay: parseDay('1990-01-01'),
  sex: 'female' as const,
  weightKg: 60,
  maxHeartRate: 185,
  timezone: 'UTC',
};
const quiet: DayFacts = {
  coveredMinutes: 1_440,
  awake: [[900, 70]],
  workouts: [],
  hrvKind: null,
  epochs: [],
};
const clockOf = (day: number, hours: number) => dayStartMs(day, 'UTC') + hours * hourMs;

/** Ten days with a night from 23 to 7, except some that have none. */
function daysOf(withoutNight: readonly number[] = []): PersonDays {
  const days = new PersonDays(person, { from: firstDay, to: firstDay + 9 });
  for (let at = 0; at < 10; at += 1) {
    const day = firstDay + at;
    days.facts.set(day, quiet);
    if (withoutNight.includes(at)) continue;
    days.sleep.set(day, [{ startMs: clockOf(day, -1), endMs: clockOf(day, 7), isMain: true }]);
    days.set('asleep', day, 440);
    days.set('resting_heart_rate', day, 58 + (at % 3));
  }
  return days;
}

const scoreAll = (days: PersonDays, hours = 24 * 12) =>
  Array.from({ length: 10 }, (_, at) => scoreDay(days, firstDay + at, clockOf(firstDay, hours)));

test('has a recipe for every score and a score for every daily value', () => {
  const { scores, prepared, daily } = scoreDay(daysOf(), firstDay, clockOf(firstDay, 20));
  expect(Object.keys(scores).sort()).toEqual([...scoreTypes].sort());
  expect(Object.keys(prepared).sort()).toEqual([...scoreTypes].sort());
  expect(Object.keys(daily).sort()).toEqual([...Object.keys(dailyOfScores), ...valuesWithScores].sort());
  expect(scoreMetrics).toEqual([...scoreTypes, ...Object.keys(daily)]);
});

test('gives no scores for a day without data', () => {
  const { scores, daily, stress, strains } = scoreDay(
    new PersonDays(person, { from: firstDay, to: firstDay }),
    firstDay,
    clockOf(firstDay, 20),
  );
  expect(new Set(Object.values(scores))).toEqual(new Set([null]));
  expect(new Set(Object.values(daily))).toEqual(new Set([null]));
  expect(stress).toEqual([]);
  expect(strains).toEqual({});
});

describe('energy reserve', () => {
  const reserves = (days: PersonDays, hours?: number) =>
    scoreAll(days, hours).map(({ scores }) => scores.energy_reserve_score);
  const carriedOver = (scored: ReturnType<typeof reserves>[number]) =>
    scored?.ingredients.find(({ name }) => name === 'carried_over')?.contribution;

  test('starts at 25, and then with the close of the previous day', () => {
    const chain = reserves(daysOf());
    expect(carriedOver(chain[0]!)).toBe(25);
    for (let at = 1; at < 10; at += 1) expect(carriedOver(chain[at]!)).toBe(chain[at - 1]!.value);
  });

  test('starts at 25 again after a day without sleep, which has none', () => {
    const chain = reserves(daysOf([4]));
    expect(chain[4]).toBeNull();
    expect(carriedOver(chain[5]!)).toBe(25);
    expect(carriedOver(chain[6]!)).toBe(chain[5]!.value);
  });

  test('closes with the next night, else 24 hours after waking', () => {
    const hoursAwake = (days: PersonDays, hours: number) =>
      scoreAll(days, hours).map(({ prepared }) => prepared.energy_reserve_score.other['hours_awake']);
    expect(hoursAwake(daysOf([4]), 24 * 12).slice(2, 6)).toEqual([16, 24, null, 16]);
    expect(hoursAwake(daysOf(), 24 * 9 + 12).at(-1)).toBe(5);
  });

  test('includes the high of the morning and the low so far', () => {
    const { daily, scores } = scoreDay(daysOf(), firstDay, clockOf(firstDay, 20));
    const { value, figures } = scores.energy_reserve_score!;
    expect(daily['energy_reserve_high']).toBe(figures['energy_reserve_high']);
    expect(daily['energy_reserve_low']).toBe(value);
  });
});

describe('training load', () => {
  test('is stored for the recovery of later days', () => {
    const days = daysOf();
    days.facts.set(firstDay, { ...quiet, awake: [[60, 150]] });
    const [first] = scoreAll(days);
    const load = first!.daily['training_load']!;
    expect(load).toBeGreaterThan(50);
    expect(days.valueOf('training_load', firstDay)).toBe(load);
    expect(days.valueOf('training_load', firstDay + 1)).toBe(0);
  });

  test('has trends from the fourth day, up to and including the day itself', () => {
    const days = daysOf();
    days.facts.set(firstDay + 3, { ...quiet, awake: [[60, 150]] });
    const all = scoreAll(days).map(({ daily }) => daily);
    expect(all.slice(0, 3).map((daily) => daily['acute_training_load'])).toEqual([null, null, null]);
    const load = all[3]!['training_load']!;
    // Starts at the mean of the four days, and the last of them counts for a quarter.
    const mean = load / 4;
    expect(all[3]!['acute_training_load']).toBeCloseTo(mean * 0.75 ** 4 + load / 4, 9);
    expect(all[3]!['chronic_training_load']).toBeCloseTo(mean * (27 / 29) ** 4 + (2 / 29) * load, 9);
  });

  test('is computed per workout by heart rate or by perceived exertion', () => {
    const days = daysOf();
    const workout = { minutes: 50, zoneMinutes: [] };
    days.facts.set(firstDay, {
      ...quiet,
      workouts: [
        { ...workout, id: 'rated', heartRate: [], rpe: 7 },
        { ...workout, id: 'measured', heartRate: [[50, 150]], rpe: null },
        { ...workout, id: 'silent', heartRate: [], rpe: null },
      ],
    });
    const { strains, scores } = scoreDay(days, firstDay, clockOf(firstDay, 20));
    // 100 ln(1 + 0.3 × 7 × 50 / 20) ÷ ln 26
    expect(strains['rated']).toBe(562);
    expect(Object.keys(strains)).toEqual(['rated', 'measured']);
    expect(strains['measured']!).toBeLessThan(scores.strain_score!.value * 10);
  });
});

describe('stress', () => {
  const epochs = (count: number, bpm: number) =>
    Array.from({ length: count }, (_, at) => ({ slot: 100 + at, bpm, hrv: null }));
  function stressOf(today: DayFacts['epochs']) {
    const days = daysOf();
    for (const at of [0, 1, 2]) days.facts.set(firstDay + at, { ...quiet, epochs: epochs(40, 65) });
    days.facts.set(firstDay + 3, { ...quiet, epochs: today });
    return scoreAll(days)[3]!;
  }

  test('is the mean of the epochs of a day, which are also returned individually', () => {
    // One standard deviation is the published one here: 8 × √(14 ÷ 17).
    const { scores, stress, daily } = stressOf([...epochs(30, 65), ...epochs(6, 150)]);
    expect(stress).toHaveLength(36);
    expect(stress[0]).toEqual({ slot: 100, tenths: 300 });
    expect(stress[35]!.tenths).toBe(1000);
    expect(scores.stress_score!.value).toBe(41.7);
    expect(daily).toMatchObject({ stress_high_time: 30, stress_rest_time: 0 });
  });

  test('counts as high above 75, and as rest up to 25', () => {
    // 100 ÷ (1 + e^(ln(7/3) − 1.1 u)) is 75 and 25 at these values.
    const sd = 8 * Math.sqrt(14 / 17);
    const beatsAt = (stress: number) => 65 + (sd * (Math.log(7 / 3) - Math.log(100 / stress - 1))) / 1.1;
    const at = (stress: number, slot: number) => ({ slot, bpm: beatsAt(stress), hrv: null });
    const { stress, daily } = stressOf([
      ...epochs(36, 65),
      at(75, 200),
      at(75.1, 201),
      at(25, 202),
      at(25.1, 203),
    ]);
    expect(stress.slice(36).map(({ tenths }) => tenths)).toEqual([750, 751, 250, 251]);
    expect(daily).toMatchObject({ stress_high_time: 5, stress_rest_time: 5 });
  });

  test('is returned for epochs even if they are too few for the day', () => {
    const { scores, stress, daily } = stressOf(epochs(35, 65));
    expect(stress).toHaveLength(35);
    expect(daily).toMatchObject({ stress_high_time: 0, stress_rest_time: 0 });
    expect(scores.stress_score!.figures).not.toHaveProperty('epochs');
    expect(scores.stress_score!.factors.map(({ name }) => name)).toContain('resting_heart_rate');
  });

  test('requires a baseline for epochs', () => {
    const days = daysOf();
    days.facts.set(firstDay, { ...quiet, epochs: epochs(100, 65) });
    const { stress, daily } = scoreAll(days)[0]!;
    expect(stress).toEqual([]);
    expect(daily).toMatchObject({ stress_high_time: null, stress_rest_time: null });
  });
});

test('uses the sleep of the date and three earlier days for recovery', () => {
  const all = scoreAll(daysOf()).map(({ scores }) => scores);
  expect(all.slice(0, 4).map(({ recovery_score: score }) => score !== null)).toEqual([
    false,
    false,
    false,
    true,
  ]);
  expect(all[3]!.recovery_score!.ingredients.map(({ name }) => name)).toContain('sleep');
  const isAssumed = (at: number) =>
    all[at]!.sleep_score!.ingredients.find(({ name }) => name === 'regularity')!.assumed;
  expect([isAssumed(2), isAssumed(3)]).toEqual([true, undefined]);
});

test('gives the same result when a day is scored again', () => {
  const days = daysOf([4]);
  expect(scoreAll(days)).toEqual(scoreAll(days));
});
