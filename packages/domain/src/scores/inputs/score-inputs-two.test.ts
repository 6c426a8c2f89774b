import { describe, expect, test } from 'vitest';
import { dayStartMs, parseDay } from '../../days.ts';
import { hourMs } from '../../durations.ts';
import { scoreDay } from '../score-day.ts';
import type { RecipeVersion } from '../score.ts';
import { PersonDays } from './person-days.ts';
import { prepareNutritionTwo, prepareRecoveryTwo, prepareSleepTwo } from './score-inputs-two.ts';

const day = parseDay('2026-03-10')!;
/** Aged 27, with a predicted maximum of 189.1. */
const person = {
  birthDay: parseDay('1999-01-01'),
  sex: 'male' as const,
  weightKg: 74,
  maxHeartRate: null,
  timezone: 'UTC',
};

function daysOf(): PersonDays {
  const days = new PersonDays(person, { from: day, to: day });
  for (let at = day - 5; at <= day; at += 1) days.set('resting_heart_rate', at, 50);
  return days;
}

describe('strain', () => {
  /** Three hours at 137 bpm. */
  function strainAfter(
    highest: Record<number, number>,
    traces: Record<number, number> = {},
  ): [number, number] {
    const days = daysOf();
    days.facts.set(day, {
      coveredMinutes: 180,
      awake: [],
      workouts: [
        {
          id: '00000000-0000-4000-8000-000000000001',
          minutes: 180,
          heartRate: [[180, 137]],
          zoneMinutes: [],
          rpe: null,
        },
      ],
      hrvKind: null,
      epochs: [],
    });
    for (const [back, bpm] of Object.entries(highest)) days.set('heart_rate_max', day - Number(back), bpm);
    for (const [back, bpm] of Object.entries(traces)) days.highestInWorkouts.set(day - Number(back), bpm);
    const strainBy = (version: RecipeVersion) =>
      scoreDay(days, day, dayStartMs(day + 1, 'UTC'), version).scores.strain_score!.value;
    return [strainBy(1), strainBy(2)];
  }

  test('of a ride does not change with one minute at 161 bpm two days earlier', () => {
    const [firstBefore, secondBefore] = strainAfter({ 0: 137 });
    const [firstAfter, secondAfter] = strainAfter({ 0: 137, 2: 161 });
    expect(firstAfter).toBeGreaterThan(firstBefore + 10);
    expect(secondAfter).toBe(secondBefore);
  });

  test('ignores a single day above the prediction, and uses the second', () => {
    const [, before] = strainAfter({});
    expect(strainAfter({ 9: 215 })[1]).toBe(before);
    expect(strainAfter({ 9: 215, 30: 200 })[1]).toBeLessThan(before);
    expect(strainAfter({ 9: 215, 180: 200 })[1]).toBe(before);
  });

  test('counts the traces of workouts as observed', () => {
    const [first, before] = strainAfter({});
    const [firstAfter, after] = strainAfter({ 9: 200 }, { 20: 198 });
    expect(after).toBe(strainAfter({ 9: 200, 20: 198 })[1]);
    expect(after).toBeLessThan(before);
    // Recipe 1 uses the highest day, and no traces.
    expect(firstAfter).toBeLessThan(first);
    expect(strainAfter({}, { 9: 200, 20: 198 })[0]).toBe(first);
  });
});

describe('sleep', () => {
  test('takes the usual values of missing readings from the previous days', () => {
    const days = daysOf();
    days.sleep.set(day, [
      { startMs: dayStartMs(day, 'UTC') - hourMs, endMs: dayStartMs(day, 'UTC') + 7 * hourMs, isMain: true },
    ]);
    days.set('asleep', day, 450);
    days.set('sleep_latency', day, 8);
    for (const [at, efficiency] of [88, 90, 94].entries()) {
      days.set('asleep', day - 1 - at, 400);
      days.set('deep_sleep', day - 1 - at, 80);
      days.set('REM', day - 1 - at, 100);
      days.set('sleep_efficiency', day - 1 - at, efficiency);
      days.set('sleep_latency', day - 1 - at, 20);
    }
    days.set('wake_after_sleep_onset', day - 1, 20);
    days.set('time_awake', day - 1, 50);
    days.set('time_awake', day - 2, 40);
    days.set('time_awake', day - 3, 44);
    const { input, histories } = prepareSleepTwo(days, day);
    expect(input.usual).toEqual({
      regularityIndex: null,
      efficiencyPercent: 90,
      awakeAfterOnsetMinutes: 40,
      restorativePercent: 45,
      // It was measured.
      latencyMinutes: null,
    });
    expect(histories).toEqual([
      'sleep_regularity_index',
      'sleep_efficiency',
      'wake_after_sleep_onset',
      'time_awake',
      'asleep',
      'deep_sleep',
      'REM',
    ]);
  });
});

test('compares the time asleep with earlier nights for recovery, only if there is a main sleep', () => {
  const days = daysOf();
  for (let at = day - 4; at <= day; at += 1) days.set('asleep', at, 420);
  expect(prepareRecoveryTwo(days, day).input).toMatchObject({ asleepMinutes: null });
  const startMs = dayStartMs(day, 'UTC');
  days.sleep.set(day, [{ startMs, endMs: startMs + 7 * hourMs, isMain: true }]);
  const { input, metrics, histories } = prepareRecoveryTwo(days, day);
  expect(input.asleepMinutes).toBe(420);
  expect(input.asleepHistory.filter((minutes) => minutes !== null)).toEqual([420, 420, 420, 420]);
  expect([metrics.at(-1), histories.at(-1)]).toEqual(['asleep', 'asleep']);
});

describe('the estimated need of energy', () => {
  const needOf = (values: Record<string, number>, restingBefore: number[] = []) => {
    const days = new PersonDays(person, { from: day, to: day });
    for (const [id, value] of Object.entries(values)) days.set(id, day, value);
    for (const [at, value] of restingBefore.entries()) days.set('resting_energy', day - 1 - at, value);
    return prepareNutritionTwo(days, day).other['energy_need'];
  };

  test('is the expenditure of the date', () => {
    expect(needOf({ total_energy: 2900 }, [1700, 1700, 1700])).toBe(2900);
  });

  test('is at least 1.2 times the usual resting energy while the date is not over', () => {
    expect(needOf({ total_energy: 900, resting_energy: 700 }, [1700, 1700, 1700])).toBe(1.2 * 1700);
  });

  test('is estimated without an expenditure, from resting energy or else from weight', () => {
    expect(needOf({}, [1700, 1700, 1700])).toBe(1.4 * 1700);
    expect(needOf({})).toBe(1.4 * 74 * 22);
  });
});
