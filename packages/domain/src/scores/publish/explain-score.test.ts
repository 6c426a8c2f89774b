import { expect, test } from 'vitest';
import { findMetric } from '../../catalog/catalog.ts';
import { emptyMonth, encodeMonth } from '../../day/canonical-month.ts';
import { placeInMonth } from '../../day/month.ts';
import { parseDay } from '../../days.ts';
import { toMicros } from '../../samples/micros.ts';
import { explainScore } from './explain-score.ts';
import { PersonDays } from '../inputs/person-days.ts';
import type { ScoreType } from '../score.ts';

const day = parseDay('2026-03-10')!;
const hourMs = 3_600_000;
const midnightMs = Date.parse('2026-03-10T00:00:00Z');
const nowMs = midnightMs + 15 * hourMs;

interface Life {
  /** Metric ID → values of the last days, with today's last. */
  values?: Record<string, (number | null)[]>;
  /** Devices that reported variability at night: 40, 41, … ms, with today's last. */
  hrvDevices?: number[];
  night?: boolean;
  covered?: number;
  awake?: [number, number][];
  workouts?: { id: string; minutes: number; rpe: number | null }[];
  /** The number of epochs today, and on each of the four previous days. */
  epochs?: [today: number, before: number];
  weightKg?: number;
}

function daysOf(life: Life): PersonDays {
  const { values = {}, hrvDevices = [], night = false, covered = 0, awake = [], workouts = [] } = life;
  const person = {
    birthDay: null,
    sex: null,
    maxHeartRate: 180,
    timezone: 'UTC',
    weightKg: life.weightKg ?? null,
  };
  const days = new PersonDays(person, { from: day, to: day });
  for (const [metricId, dailyValues] of Object.entries(values))
    dailyValues.forEach((value, at) => days.set(metricId, day - dailyValues.length + 1 + at, value));
  const { month, index, daysInMonth } = placeInMonth(day);
  const variability = emptyMonth(daysInMonth);
  hrvDevices.forEach((source, at) => {
    const place = index - hrvDevices.length + 1 + at;
    variability[place] = { micros: toMicros(40 + at), source, contributors: [] };
  });
  days.load(findMetric('sleep_heart_rate_variability')!.no, month, encodeMonth(variability));
  if (night)
    days.sleep.set(day, [{ startMs: midnightMs - hourMs, endMs: midnightMs + 7 * hourMs, isMain: true }]);
  const epochsOf = (count: number, bpm: number) =>
    Array.from({ length: count }, (_, slot) => ({ slot, bpm: bpm + (slot % 2), hrv: null }));
  const [today, before] = life.epochs ?? [0, 0];
  for (let at = 1; at <= 4; at += 1)
    days.facts.set(day - at, {
      coveredMinutes: 0,
      awake: [],
      workouts: [],
      hrvKind: null,
      epochs: epochsOf(before, 60),
    });
  days.facts.set(day, {
    coveredMinutes: covered,
    awake,
    workouts: workouts.map((workout) => ({ ...workout, heartRate: [], zoneMinutes: [] })),
    hrvKind: null,
    epochs: epochsOf(today, 70),
  });
  return days;
}

const explain = (type: ScoreType, life: Life) => explainScore(daysOf(life), day, type, nowMs, 1);

test('returns the inputs of a score', () => {
  const account = explain('recovery_score', {
    night: true,
    values: { resting_heart_rate: [54, null, 56, 55, 58], asleep: [450], training_load: [90, 80] },
  });
  expect(account.scored).toMatchObject({ type: 'recovery_score', value: 59.4 });
  expect(account.inputs).toEqual([
    { metricId: 'sleep_heart_rate_variability', value: null, deviceNo: 0 },
    { metricId: 'resting_heart_rate', value: 58, deviceNo: 0 },
    { metricId: 'sleep_respiratory_rate', value: null, deviceNo: 0 },
    { metricId: 'sleep_skin_temperature', value: null, deviceNo: 0 },
  ]);
  expect(account.history[1]).toEqual({
    metricId: 'resting_heart_rate',
    readings: [
      { day: day - 4, value: 54 },
      { day: day - 2, value: 56 },
      { day: day - 1, value: 55 },
    ],
  });
  expect(account.history[2]).toEqual({ metricId: 'training_load', readings: [{ day: day - 1, value: 90 }] });
  expect(account.other).toEqual({ sleep_score: 92.5 });
  expect(account.missing).toEqual([
    'hrv_today',
    'hrv_trend',
    'load_balance',
    'respiratory_rate',
    'body_temperature',
  ]);
  expect(account.lacking).toBeNull();
});

test('lists only the variability readings that count: those of the new device after three nights', () => {
  const readings = (sources: number[]) =>
    explain('stress_score', { hrvDevices: sources }).history[0]!.readings.map((one) => [
      day - one.day,
      one.value,
    ]);
  expect(readings([1, 1, 2, 2, 2, 2])).toEqual([
    [3, 42],
    [2, 43],
    [1, 44],
  ]);
  expect(readings([1, 1, 1, 2, 2])).toEqual([
    [4, 40],
    [3, 41],
    [2, 42],
    [1, 43],
  ]);
});

test('lists the minutes that count for strain', () => {
  const account = explain('strain_score', {
    covered: 700,
    awake: [
      [600, 62],
      [40, 140],
    ],
    workouts: [{ id: 'a', minutes: 50, rpe: 7 }],
    values: { active_calories: [400] },
    weightKg: 70,
  });
  expect(account.scored!.ingredients.map(({ name }) => name)).toEqual([
    'vigorous_activity',
    'perceived_exertion',
  ]);
  expect(account.other).toEqual({
    resting_heart_rate: 60,
    max_heart_rate: 180,
    sex: null,
    weight: 70,
    heart_rate_coverage_minutes: 700,
    workouts: 1,
    heart_rate_minutes: [
      [600, 62],
      [40, 140],
    ],
    zone_minutes: [],
    rated_sessions: [[7, 50]],
  });
  expect(account.inputs).toEqual([{ metricId: 'active_calories', value: 400, deviceNo: 0 }]);
  expect(account.missing).toEqual([]);
});

test('reads no night if stress is computed from epochs', () => {
  const account = explain('stress_score', {
    epochs: [40, 100],
    values: { resting_heart_rate: [54, 55, 56, 58] },
  });
  expect(account.scored!.figures).toEqual({ epochs: 40, epochs_with_variability: 0 });
  expect(account.scored!.baselines).toEqual([
    { input: 'heart_rate', transform: 'none', centre: 60.5, sd: expect.closeTo(7.06399, 5), readings: 4 },
  ]);
  expect([account.inputs, account.history]).toEqual([[], []]);
  expect(account.other).toEqual({ epochs: 40, epoch_variability: null });
  expect(account.missing).toEqual(['heart_rate_variability']);
});

test('lists the epochs as missing if stress is computed from the night', () => {
  const account = explain('stress_score', {
    epochs: [35, 100],
    values: { resting_heart_rate: [54, 55, 56, 58] },
  });
  expect(account.scored!.ingredients.map(({ name }) => name)).toEqual(['resting_heart_rate']);
  expect(account.history[1]!.readings).toHaveLength(3);
  expect(account.missing).toEqual(['epochs', 'heart_rate_variability']);
});

test('explains the reserve as of the current time', () => {
  const account = explain('energy_reserve_score', {
    night: true,
    values: { asleep: [450], energy_reserve_score: [31, null] },
  });
  expect(account.other).toEqual({
    previous_energy_reserve_score: 31,
    hours_awake: 8,
    recovery_score: null,
    strain_score: null,
    stress_score: null,
  });
  expect(account.missing).toEqual(['recovery', 'strain', 'stress']);
});

const restingRates = { resting_heart_rate: [54, 55, 56, 58] };
test.each<[ScoreType, string, Life, string, string[]]>([
  [
    'recovery_score',
    'a day without heart data',
    { night: true, values: { asleep: [450] } },
    'this date has neither heart rate variability nor resting heart rate',
    ['hrv_today', 'hrv_trend', 'resting_heart_rate', 'load_balance', 'respiratory_rate', 'body_temperature'],
  ],
  [
    'recovery_score',
    'two earlier nights',
    { values: { resting_heart_rate: [54, 55, 56], sleep_heart_rate_variability: [60, 61] } },
    'the previous 60 days have 1 of 3 required readings of heart rate variability and 2 of 3 of resting heart rate',
    [
      'hrv_today',
      'hrv_trend',
      'resting_heart_rate',
      'sleep',
      'load_balance',
      'respiratory_rate',
      'body_temperature',
    ],
  ],
  [
    'recovery_score',
    'only resting heart rate',
    { values: restingRates },
    'resting heart rate is not enough on its own. Sleep or heart rate variability is also required',
    ['hrv_today', 'hrv_trend', 'sleep', 'load_balance', 'respiratory_rate', 'body_temperature'],
  ],
  [
    'recovery_score',
    'only variability',
    { values: { heart_rate_variability: [60, 61, 62, 63] } },
    'heart rate variability is not enough on its own. Resting heart rate or sleep is also required, or both an HRV trend and four days of training load',
    ['resting_heart_rate', 'sleep', 'load_balance', 'respiratory_rate', 'body_temperature'],
  ],
  [
    'sleep_score',
    'a nap',
    { values: { asleep: [60] } },
    'no main sleep ends on this date',
    ['duration', 'regularity', 'efficiency', 'continuity', 'restorative_sleep', 'latency'],
  ],
  [
    'sleep_score',
    'a night without data',
    { night: true },
    'the time asleep is unknown',
    ['duration', 'regularity', 'efficiency', 'continuity', 'restorative_sleep', 'latency'],
  ],
  [
    'strain_score',
    'a watch that was worn too briefly',
    { covered: 599.9, awake: [[599.9, 80]], weightKg: 70 },
    'there are 599 of the required 600 minutes of heart rate, no workout, and no active calories',
    ['heart_rate', 'perceived_exertion', 'active_energy'],
  ],
  [
    'strain_score',
    'a workout without data, and no weight',
    { workouts: [{ id: 'a', minutes: 30, rpe: null }], values: { active_calories: [500] } },
    'there are 0 of the required 600 minutes of heart rate, no workout with heart rate, zones or perceived exertion, and no body weight, which active calories require',
    ['heart_rate', 'perceived_exertion', 'active_energy'],
  ],
  [
    'stress_score',
    'the first days',
    { epochs: [40, 0] },
    'fewer than 3 of the previous 14 days have epochs awake at rest, and this date has neither heart rate variability nor resting heart rate',
    ['epochs', 'heart_rate_variability', 'resting_heart_rate'],
  ],
  [
    'stress_score',
    'a short day',
    { epochs: [35, 100], values: { resting_heart_rate: [54] } },
    'there are 35 of the required 36 five-minute epochs awake at rest, and the previous 60 days have 0 of 3 required readings of resting heart rate',
    ['epochs', 'heart_rate_variability', 'resting_heart_rate'],
  ],
  [
    'nutrition_score',
    'no log',
    {},
    'no food was logged',
    [
      'dietary_energy',
      'fiber',
      'protein',
      'added_sugar',
      'saturated_fat',
      'sodium',
      'fat_quality',
      'potassium',
      'hydration',
      'energy_balance',
    ],
  ],
  [
    'nutrition_score',
    'only breakfast',
    { values: { dietary_energy: [640.5], resting_energy: [1501], fiber: [5], protein: [20], sodium: [700] } },
    'only 640 kcal were logged, and a full day requires at least 751 kcal',
    ['added_sugar', 'saturated_fat', 'fat_quality', 'potassium', 'hydration', 'energy_balance'],
  ],
  [
    'nutrition_score',
    'two nutrients',
    { values: { dietary_energy: [2000], fiber: [25], protein: [80] } },
    'too few nutrients were logged. At least 3 are required, with half of the total weight',
    ['added_sugar', 'saturated_fat', 'sodium', 'fat_quality', 'potassium', 'hydration', 'energy_balance'],
  ],
  [
    'energy_reserve_score',
    'no night',
    { values: { energy_reserve_score: [31, null] } },
    'no main sleep ends on this date',
    ['sleep_charge', 'recovery', 'time_awake', 'strain', 'stress'],
  ],
  [
    'energy_reserve_score',
    'a night without data',
    { night: true },
    'the time asleep is unknown',
    ['carried_over', 'sleep_charge', 'recovery', 'strain', 'stress'],
  ],
])('explains what %s lacks: %s', (type, _what, life, lacking, missing) => {
  const account = explain(type, life);
  expect(account.scored).toBeNull();
  expect(account.lacking).toBe(lacking);
  expect(account.missing).toEqual(missing);
});
