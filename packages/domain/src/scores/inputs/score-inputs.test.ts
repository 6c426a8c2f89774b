import { describe, expect, test } from 'vitest';
import { findMetric } from '../../catalog/catalog.ts';
import { emptyMonth, encodeMonth } from '../../day/canonical-month.ts';
import { placeInMonth } from '../../day/month.ts';
import { dayStartMs, parseDay } from '../../days.ts';
import { toMicros } from '../../samples/micros.ts';
import type { DayFacts, WorkoutFacts } from './day-facts.ts';
import { PersonDays, type Person } from './person-days.ts';
import {
  closesAtMs,
  prepareEnergyReserve,
  prepareNutrition,
  prepareRecovery,
  prepareSleep,
  prepareStress,
} from './score-inputs.ts';
import { heartWorkOn, prepareStrain, workoutLoad } from './strain-inputs.ts';
import { scoreStrain } from '../recipes/one/strain.ts';

const day = parseDay('2026-03-20')!;
const hourMs = 3_600_000;
const midnightMs = dayStartMs(day, 'UTC');
const someone: Person = { birthDay: null, sex: null, weightKg: null, maxHeartRate: 180, timezone: 'UTC' };

function daysOf(
  person: Partial<Person> = {},
  values: Record<string, Record<number, number>> = {},
): PersonDays {
  const days = new PersonDays({ ...someone, ...person }, { from: day, to: day });
  for (const [id, byAgo] of Object.entries(values))
    for (const [ago, value] of Object.entries(byAgo)) days.set(id, day - Number(ago), value);
  return days;
}

/** Values of the previous days with their devices, the latest last. */
function addValuesBySource(
  days: PersonDays,
  metricId: string,
  sourcedValues: readonly [value: number, source: number][],
  last = 0,
) {
  sourcedValues.forEach(([value, source], at) => {
    const { month, index, daysInMonth } = placeInMonth(day - last - sourcedValues.length + 1 + at);
    const content = emptyMonth(daysInMonth);
    content[index] = { micros: toMicros(value), source, contributors: [] };
    days.load(findMetric(metricId)!.no, month, encodeMonth(content));
  });
}

const night = (from = -1, to = 7, isMain = true) => ({
  startMs: midnightMs + from * hourMs,
  endMs: midnightMs + to * hourMs,
  isMain,
});

describe('sleep input', () => {
  const sleepValues = {
    asleep: { 0: 440 },
    deep_sleep: { 0: 80 },
    REM: { 0: 90 },
    sleep_efficiency: { 0: 91 },
    sleep_latency: { 0: 12 },
    time_awake: { 0: 33 },
  };

  test('requires a main sleep on the date', () => {
    const days = daysOf({ birthDay: parseDay('1990-03-21') }, sleepValues);
    days.sleep.set(day, [night()]);
    expect(prepareSleep(days, day).input).toEqual({
      age: 35,
      asleepMinutes: 440,
      deepMinutes: 80,
      remMinutes: 90,
      efficiencyPercent: 91,
      awakeAfterOnsetMinutes: 33,
      latencyMinutes: 12,
      regularityIndex: null,
    });
    days.sleep.set(day, [night(13, 14, false)]);
    expect(prepareSleep(days, day).input.asleepMinutes).toBeNull();
  });

  test('prefers wake after sleep onset to total time awake', () => {
    const days = daysOf({}, { ...sleepValues, wake_after_sleep_onset: { 0: 21 } });
    const { input, metrics } = prepareSleep(days, day);
    expect(input.awakeAfterOnsetMinutes).toBe(21);
    expect(metrics).toContain('wake_after_sleep_onset');
    expect(metrics).not.toContain('time_awake');
  });
});

describe('heart rates for strain', () => {
  test('use the median resting heart rate of sixty days, else that of today, else 60', () => {
    const restingOf = (values: Record<number, number>) =>
      heartWorkOn(daysOf({}, { resting_heart_rate: values }), day).restingHeartRate;
    expect(restingOf({ 60: 50, 5: 54, 1: 58, 0: 90 })).toBe(54);
    expect(restingOf({ 61: 50, 5: 54, 1: 58, 0: 90 })).toBe(90);
    expect(restingOf({ 2: 50, 1: 58 })).toBe(60);
  });

  test('use the entered maximum, else the observed one, else the prediction by age', () => {
    const birthDay = parseDay('1986-03-20')!;
    const mostOf = (person: Partial<Person>, highest: Record<number, number>) =>
      heartWorkOn(daysOf({ maxHeartRate: null, ...person }, { heart_rate_max: highest }), day).maxHeartRate;
    expect(mostOf({ birthDay, maxHeartRate: 171 }, { 1: 190 })).toBe(171);
    expect(mostOf({ birthDay }, { 179: 176 })).toBe(176);
    expect(mostOf({ birthDay }, { 180: 176 })).toBe(180);
    expect(mostOf({ birthDay }, { 0: 150 })).toBe(180);
    expect(mostOf({}, {})).toBe(185);
  });
});

describe('strain input', () => {
  const quiet: DayFacts = { coveredMinutes: 0, awake: [], workouts: [], hrvKind: null, epochs: [] };
  const workout = (overrides: Partial<WorkoutFacts>): WorkoutFacts => ({
    id: 'w',
    minutes: 60,
    heartRate: [],
    zoneMinutes: [],
    rpe: null,
    ...overrides,
  });

  function strainOf(
    facts: Partial<DayFacts>,
    values: Record<string, Record<number, number>> = {},
    weightKg?: number,
  ) {
    const days = daysOf({ weightKg: weightKg ?? null }, { resting_heart_rate: { 0: 60 }, ...values });
    days.facts.set(day, { ...quiet, ...facts });
    const { input } = prepareStrain(days, day);
    return { input, score: scoreStrain(input) };
  }
  const namesOf = (of: ReturnType<typeof strainOf>) => of.score?.factors.map(({ name }) => name);

  test('is sufficient with ten hours of heart rate', () => {
    const awake: DayFacts['awake'] = [[30, 120]];
    expect(strainOf({ coveredMinutes: 599.9, awake }).score).toBeNull();
    expect(strainOf({ coveredMinutes: 600, awake }).score!.value).toBeGreaterThan(10);
  });

  test('is sufficient with a workout that has intensity data', () => {
    const covered = { coveredMinutes: 60, awake: [[20, 120]] as const };
    expect(strainOf({ ...covered, workouts: [workout({})] }).score).toBeNull();
    for (const intensityData of [
      { heartRate: [[60, 130]] as const },
      { zoneMinutes: [0, 60, 0, 0, 0] },
      { rpe: 4 },
    ]) {
      const { input } = strainOf({ ...covered, workouts: [workout(intensityData)] });
      expect(input.heartRateMinutes).toContainEqual([20, 120]);
      expect(scoreStrain(input)!.value).toBeGreaterThan(10);
    }
  });

  test('is sufficient with active calories and a weight', () => {
    const burned = { active_calories: { 0: 620 } };
    expect(strainOf({}, burned).score).toBeNull();
    expect(strainOf({}, burned, 70).score).toMatchObject({
      value: 40.5,
      factors: [{ name: 'active_energy', contribution: 40.5 }],
    });
  });

  test('uses active calories only without any heart rate', () => {
    const burned = { active_calories: { 0: 2_000 } };
    const measured = strainOf({ coveredMinutes: 5, awake: [[5, 120]] }, burned, 70);
    expect(measured.input.activeCalories).toBeNull();
    expect(namesOf(measured)).toEqual(['moderate_activity']);
    expect(namesOf(strainOf({ workouts: [workout({ heartRate: [[30, 150]] })] }, burned, 70))).toEqual([
      'vigorous_activity',
    ]);
  });

  test('gives 0 for a day of rest, even if all of it was spent asleep', () => {
    expect(strainOf({ coveredMinutes: 900, awake: [[400, 65]] }).score).toMatchObject({
      value: 0,
      factors: [],
    });
    expect(strainOf({ coveredMinutes: 900 }).score).toMatchObject({ value: 0, factors: [] });
  });

  test('uses the latest weight of two months, else that of the profile', () => {
    const weightOf = (weight: Record<number, number>) => strainOf({}, { weight }, 70).input.weightKg;
    expect(weightOf({ 59: 80 })).toBe(80);
    expect(weightOf({ 60: 80 })).toBe(70);
    expect(weightOf({ 5: 81, 0: 82 })).toBe(82);
  });

  test('counts a workout by perceived exertion if that is higher, but never by both', () => {
    const heartRate = [[60, 130]] as const;
    const light = strainOf({ workouts: [workout({ heartRate, rpe: 2 })] });
    expect(light.input).toMatchObject({
      heartRateMinutes: [
        [0, 60],
        [60, 130],
      ],
      ratedSessions: [],
    });
    expect(namesOf(light)).toEqual(['moderate_activity']);
    const hard = strainOf({ workouts: [workout({ heartRate, zoneMinutes: [1, 2, 3, 4, 5], rpe: 9 })] });
    expect(hard.input).toMatchObject({
      heartRateMinutes: [[0, 60]],
      zoneMinutes: [],
      ratedSessions: [[9, 60]],
    });
    expect(namesOf(hard)).toEqual(['perceived_exertion']);
  });

  test('adds up the zones of several workouts', () => {
    const { input } = strainOf({
      workouts: [workout({ zoneMinutes: [1, 2, 3, 4, 5] }), workout({ zoneMinutes: [10, 0, 0, 0, 1] })],
    });
    expect(input.zoneMinutes).toEqual([11, 2, 3, 4, 6]);
  });

  test('counts only the part of a workout that no other covers', () => {
    const half = { share: 0.5 };
    const { input } = strainOf({
      workouts: [
        workout({ heartRate: [[60, 150]], ...half }),
        workout({ zoneMinutes: [0, 0, 10, 20, 0], ...half }),
        workout({ rpe: 8, ...half }),
      ],
    });
    expect(input).toMatchObject({
      heartRateMinutes: [
        [0, 60],
        [30, 150],
      ],
      zoneMinutes: [0, 0, 5, 10, 0],
      ratedSessions: [[8, 30]],
    });
  });

  test('gives a workout its own strain for its full duration', () => {
    const work = { restingHeartRate: 60, maxHeartRate: 180, sex: null };
    expect(workoutLoad(workout({}), work)).toBeNull();
    expect(workoutLoad(workout({ rpe: 5, share: 0.5 }), work)).toEqual({ load: 90, isRated: true });
    // Half of the reserve, with the mean of both formulas.
    const perMinute = (0.64 * 0.5 * Math.exp(1.92 * 0.5) + 0.86 * 0.5 * Math.exp(1.67 * 0.5)) / 2;
    const measured = workoutLoad(workout({ heartRate: [[60, 120]], rpe: 0 }), work)!;
    expect(measured.load).toBeCloseTo(60 * perMinute, 9);
    expect(measured.isRated).toBe(false);
  });
});

describe('measure of a reading', () => {
  const sleepHrv = 'sleep_heart_rate_variability';
  const rmssd = 'heart_rate_variability_rmssd';
  const sdnn = 'heart_rate_variability';
  const three = { 1: 40, 2: 41, 3: 42 };

  test.each([
    [
      'is the first with three readings in sixty days',
      { [sleepHrv]: { 60: 1, 2: 2, 1: 3 }, [rmssd]: three },
      sleepHrv,
    ],
    [
      'is another if the first has fewer readings',
      { [sleepHrv]: { 61: 1, 2: 2, 1: 3 }, [rmssd]: three, [sdnn]: three },
      rmssd,
    ],
    ['is SDNN without rMSSD', { [sdnn]: three }, sdnn],
    ['is one with a reading today if there is no history', { [rmssd]: { 0: 40 }, [sdnn]: { 0: 50 } }, rmssd],
    ['is the first if there are no readings', {}, sleepHrv],
  ])('%s', (_, values, kind) => {
    const { input, metrics } = prepareRecovery(daysOf({}, values), day, null);
    expect(metrics[0]).toBe(kind);
    const known = values as Record<string, Record<number, number>>;
    expect(input.hrvHistory.filter((value) => value !== null)).toHaveLength(
      Object.keys(known[kind] ?? {}).filter((ago) => Number(ago) >= 1 && Number(ago) <= 60).length,
    );
  });

  test('does not change because today has another one', () => {
    const days = daysOf({}, { [rmssd]: three, [sdnn]: { 0: 60 } });
    expect(prepareRecovery(days, day, null).input.hrv).toBeNull();
    const stress = prepareStress(days, day, { epochs: [], baseline: null, hrvKind: null });
    expect(stress.input.hrv).toBeNull();
    expect(stress.metrics).toEqual([rmssd, 'resting_heart_rate']);
  });

  test('is also chosen for respiration and temperature', () => {
    const days = daysOf(
      {},
      { respiratory_rate: three, sleep_wrist_temperature: three, sleep_body_temperature: three },
    );
    const { metrics } = prepareRecovery(days, day, 80);
    expect(metrics.slice(2)).toEqual(['respiratory_rate', 'sleep_wrist_temperature']);
  });
});

describe('new device', () => {
  const sleepHrv = 'sleep_heart_rate_variability';
  const historyOf = (sourcedValues: readonly [number, number][]) => {
    const days = daysOf();
    addValuesBySource(days, sleepHrv, sourcedValues);
    return prepareRecovery(days, day, null).input.hrvHistory.filter((value) => value !== null);
  };

  test('resets the norms of variability after three nights', () => {
    expect(
      historyOf([
        [40, 1],
        [41, 1],
        [42, 1],
        [60, 2],
        [61, 2],
        [62, 2],
      ]),
    ).toEqual([40, 41, 42, 60, 61]);
    expect(
      historyOf([
        [40, 1],
        [41, 1],
        [42, 1],
        [60, 2],
        [61, 2],
        [62, 2],
        [63, 2],
      ]),
    ).toEqual([60, 61, 62]);
  });

  test('does not reset them after a night on the old device', () => {
    expect(
      historyOf([
        [40, 1],
        [41, 1],
        [42, 1],
        [60, 2],
        [61, 2],
        [62, 2],
        [43, 1],
      ]),
    ).toEqual([40, 41, 42]);
  });

  test('does not affect the resting heart rate', () => {
    const days = daysOf();
    addValuesBySource(days, 'resting_heart_rate', [
      [50, 1],
      [51, 1],
      [60, 2],
      [61, 2],
      [62, 2],
      [63, 2],
    ]);
    const { restingHeartRateHistory } = prepareRecovery(days, day, null).input;
    expect(restingHeartRateHistory.slice(-5)).toEqual([50, 51, 60, 61, 62]);
  });
});

test('includes weight and daily energy in the nutrition input', () => {
  const days = daysOf(
    { sex: 'male', weightKg: 80 },
    {
      dietary_energy: { 0: 2_100 },
      sugar: { 0: 60 },
      water: { 1: 900 },
      resting_energy: { 0: 1_700 },
      weight: { 9: 78 },
    },
  );
  expect(prepareNutrition(days, day).input).toMatchObject({
    dietaryEnergyKcal: 2_100,
    sugarGrams: 60,
    addedSugarGrams: null,
    waterMl: null,
    weightKg: 78,
    sex: 'male',
    restingEnergyKcal: 1_700,
    totalEnergyKcal: null,
  });
});

describe('time awake', () => {
  const awakeAt = (days: PersonDays, hours: number) =>
    prepareEnergyReserve(days, day, {
      nowMs: midnightMs + hours * hourMs,
      recovery: null,
      strain: null,
      stress: null,
    }).input.hoursAwake;
  const slept = () => {
    const days = daysOf({}, { asleep: { 0: 440 } });
    days.sleep.set(day, [night()]);
    return days;
  };

  test('starts at the end of the main sleep and advances in steps of five minutes', () => {
    expect(awakeAt(slept(), 7)).toBe(0);
    expect(awakeAt(slept(), 12.5)).toBe(5.5);
    expect(awakeAt(slept(), 12.5 + 0.08)).toBe(5.5);
    expect(awakeAt(slept(), 3)).toBe(0);
  });

  test('ends when the next main sleep begins', () => {
    const days = slept();
    days.sleep.set(day + 1, [night(20, 21, false), night(22, 30)]);
    expect(awakeAt(days, 21)).toBe(14);
    expect(awakeAt(days, 40)).toBe(15);
  });

  test('ends after 24 hours if no sleep follows', () => {
    const days = slept();
    expect(awakeAt(days, 30.9)).toBeCloseTo(23.8333, 3);
    expect(awakeAt(days, 31)).toBe(24);
    expect(awakeAt(days, 400)).toBe(24);
    expect(closesAtMs(days, day)).toBe(midnightMs + 31 * hourMs);
    expect(closesAtMs(days, day + 1)).toBeNull();
  });

  test('counts elapsed hours on a 25-hour day', () => {
    const autumn = parseDay('2026-10-25')!;
    const days = new PersonDays({ ...someone, timezone: 'Europe/Berlin' }, { from: autumn, to: autumn });
    const startMs = Date.parse('2026-10-24T21:00:00Z');
    days.sleep.set(autumn, [{ startMs, endMs: Date.parse('2026-10-25T00:00:00Z'), isMain: true }]);
    const nowMs = Date.parse('2026-10-25T11:00:00Z');
    const { input } = prepareEnergyReserve(days, autumn, {
      nowMs,
      recovery: null,
      strain: null,
      stress: null,
    });
    expect(input.hoursAwake).toBe(11);
  });

  test('is unknown without a main sleep', () => {
    const days = daysOf({}, { asleep: { 0: 60 } });
    days.sleep.set(day, [night(13, 14, false)]);
    const { input } = prepareEnergyReserve(days, day, {
      nowMs: midnightMs,
      recovery: 1,
      strain: 2,
      stress: 3,
    });
    expect(input).toEqual({
      previousClose: null,
      asleepMinutes: null,
      hoursAwake: null,
      recoveryScore: 1,
      strainScore: 2,
      stressScore: 3,
    });
  });
});
