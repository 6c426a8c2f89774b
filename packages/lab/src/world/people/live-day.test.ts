import { expect, test } from 'vitest';
import { chanceOf } from '../hash.ts';
import type { Day, Sleep } from './day.ts';
import { dayOf } from './live-day.ts';
import { addDays } from './local-time.ts';
import { personOf } from './people.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Days of a thousand people, over six years. */
const days = Array.from({ length: 1000 }, (_, n): [string, Day] => {
  const person = personOf(`person-${n}`, 1)!;
  return [person.id, dayOf(person, addDays('2023-01-01', Math.floor(chanceOf('date', n) * 2200)))];
});

test('adds up the parts of a day', () => {
  for (const [id, day] of days.slice(0, 150)) {
    expect(
      day.hourlySteps.reduce((sum, steps) => sum + steps, 0),
      id,
    ).toBe(day.steps);
    expect(day.hourlySteps.length, id).toBe(Math.ceil((day.end - day.start) / HOUR));
    const { low, medium, high } = day.activeSeconds;
    const lying = asleepSeconds(id, day);
    expect(low + medium + high + day.sedentarySeconds + lying, id).toBeCloseTo(
      (day.end - day.start) / 1000,
      6,
    );
  }
});

test('keeps a thousand days of a thousand people within bounds', () => {
  for (const [id, day] of days) {
    within(id, 'steps', day.steps, 0, 45_000);
    within(id, 'distance', day.distanceM, 0, 45_000);
    within(id, 'floors', day.floors, 0, 80);
    within(id, 'active kcal', day.activeKcal, 0, 3500);
    within(id, 'basal kcal', day.basalKcal, 450, 3500);
    within(id, 'low', day.activeSeconds.low, 0, 8 * 3600);
    within(id, 'sedentary', day.sedentarySeconds, 0, 30 * 3600);
    within(id, 'resting', day.restingHeartRate, 38, 85);
    within(id, 'hrv', day.hrvRmssd, 8, 160);
    within(id, 'breath', day.respiratoryRate, 11, 19);
    within(id, 'deviation', day.temperatureDeviationC, -1, 1);
    within(id, 'vo2', day.vo2Max, 18, 62);
    for (const { value } of day.heartRate) within(id, 'heart rate', value, 38, 200);
    for (const { value } of day.glucose) within(id, 'glucose', value, 70, 260);
    if (day.body) {
      const { weightKg, fatPercent, muscleKg, boneKg } = day.body;
      within(id, 'weight', weightKg, 42, 120);
      expect(muscleKg + boneKg + (weightKg * fatPercent) / 100, id).toBeCloseTo(weightKg, 1);
    }
    if (day.bloodPressure) {
      within(id, 'systolic', day.bloodPressure.systolic, 100, 150);
      within(id, 'diastolic', day.bloodPressure.diastolic, 60, 100);
    }
  }
});

test('generates stages without gaps that begin awake and always change', () => {
  for (const [id, day] of days)
    for (const { stages, start, end } of day.sleeps) {
      expect([stages[0]!.stage, stages[0]!.start, stages.at(-1)!.end], id).toEqual(['awake', start, end]);
      const broken = stages.filter((span, at) => {
        const next = stages[at + 1];
        return span.end <= span.start || (next && (next.start !== span.end || next.stage === span.stage));
      });
      expect(broken, id).toEqual([]);
    }
});

test('generates realistic nights: deep sleep early, REM late, in plausible shares', () => {
  const nights = days.map(([, day]) => day.sleeps[0]!).filter(({ start, end }) => end - start > 6 * HOUR);
  const share = (stage: string) => mean(nights.map((night) => minutesOf(night, stage) / minutesOf(night)));
  expect(nights.length).toBeGreaterThan(800);
  within('all', 'deep', share('deep'), 0.1, 0.25);
  within('all', 'rem', share('rem'), 0.14, 0.28);
  within('all', 'light', share('light'), 0.42, 0.65);
  within('all', 'awake', share('awake'), 0.02, 0.13);
  const early = (night: Sleep, stage: string) =>
    minutesOf(
      { ...night, stages: night.stages.filter(({ start }) => start < (night.start + night.end) / 2) },
      stage,
    );
  expect(mean(nights.map((night) => early(night, 'deep') - minutesOf(night, 'deep') / 2))).toBeGreaterThan(
    10,
  );
  expect(mean(nights.map((night) => early(night, 'rem') - minutesOf(night, 'rem') / 2))).toBeLessThan(-10);
});

test('takes the heart rate of the day from its sleeps and workouts', () => {
  for (const [id, day] of days.slice(0, 150)) {
    const at = new Map(day.heartRate.map((sample) => [sample.at, sample.value]));
    expect(at.size, id).toBe(Math.ceil((day.end - day.start) / (5 * MINUTE)));
    for (const part of [...day.sleeps, ...day.workouts])
      for (const sample of part.heartRate)
        if (at.has(sample.at) && at.get(sample.at) !== sample.value) expect.fail(`${id} at ${sample.at}`);
    for (const sleep of day.sleeps) {
      const values = sleep.heartRate.map(({ value }) => value);
      expect([sleep.lowestHeartRate, sleep.averageHeartRate], id).toEqual([
        Math.min(...values),
        Math.round(mean(values)),
      ]);
    }
    for (const { zoneSeconds, start, end, heartRate } of day.workouts) {
      expect(
        zoneSeconds.reduce((sum, zone) => sum + zone, 0),
        id,
      ).toBeLessThanOrEqual((end - start) / 1000);
      expect(heartRate.length * 10_000, id).toBe(end - start);
    }
  }
});

test('counts no steps during sleep and many during a run', () => {
  let runs = 0;
  for (const [id, day] of days) {
    const stepsIn = (start: number, end: number): number =>
      day.hourlySteps
        .filter((_, hour) => day.start + hour * HOUR < end && day.start + (hour + 1) * HOUR > start)
        .reduce((sum, steps) => sum + steps, 0);
    const { start, end } = day.sleeps[0]!;
    // The hours on both sides are partly awake.
    if (end - start > 4 * HOUR) expect(stepsIn(start + HOUR, end - HOUR), id).toBe(0);
    for (const workout of day.workouts.filter(({ sport }) => sport === 'running')) {
      runs += 1;
      const minutes = (workout.end - workout.start) / MINUTE;
      expect(stepsIn(workout.start, workout.end), id).toBeGreaterThan(150 * minutes);
    }
  }
  expect(runs).toBeGreaterThan(20);
});

test('generates sleeps and workouts that do not overlap, and sleeps that end on their date', () => {
  for (const [id, day] of days) {
    const spans = [...day.sleeps, ...day.workouts].sort((one, other) => one.start - other.start);
    for (const [at, span] of spans.entries())
      if (at > 0) expect(span.start, id).toBeGreaterThanOrEqual(spans[at - 1]!.end);
    for (const { end } of day.sleeps) expect(day.start < end && end <= day.end, id).toBe(true);
  }
});

test('returns the same day on every call, and a different one for another seed', () => {
  const person = personOf('ada', 1)!;
  expect(dayOf(personOf('ada', 1)!, '2026-05-05')).toEqual(dayOf(person, '2026-05-05'));
  expect(dayOf(personOf('ada', 2)!, '2026-05-05').steps).not.toBe(dayOf(person, '2026-05-05').steps);
});

/** Seconds of the date that are spent asleep, including the start of the next night. */
function asleepSeconds(id: string, day: Day): number {
  const next = dayOf(personOf(id, 1)!, addDays(day.date, 1)).sleeps[0]!;
  const lying = [...day.sleeps, next].map(({ start, end }) =>
    Math.max(0, Math.min(end, day.end) - Math.max(start, day.start)),
  );
  return lying.reduce((sum, each) => sum + each, 0) / 1000;
}

function minutesOf({ stages }: Sleep, only?: string): number {
  const spans = stages.filter(({ stage }) => only === undefined || stage === only);
  return spans.reduce((sum, { start, end }) => sum + (end - start) / MINUTE, 0);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function within(id: string, what: string, value: number, least: number, most: number): void {
  if (!(least <= value && value <= most))
    throw new Error(`${what} of ${id} is ${value}, not ${least} to ${most}`);
}
