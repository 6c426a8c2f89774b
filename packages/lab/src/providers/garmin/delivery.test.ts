import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lab } from '../../lab-type.ts';
import type { Sample, Stage } from '../../world/people/day.ts';
import { receive } from '../test-receiver.ts';
import type { Receiver } from '../test-receiver.ts';
import { connect, noon, rowsOf, startGarmin } from './test-client.ts';
import type { TestRow } from './test-client.ts';

const hour = 3_600_000;
let lab: Lab;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await receive();
  lab = await startGarmin(receiver);
  await connect(lab, 'ada');
  await connect(lab, 'ben');
  await lab.clock.advance(10 * 24 * hour);
});
afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const dates = ['06', '07', '08', '09', '10', '11', '12'].map((day) => `2026-05-${day}`);
const values = (samples: Sample[]) => samples.map(({ value }) => value);
const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
const userOf = (person: string) => lab.grants('garmin').find(({ personId }) => personId === person)!.userId;
/** The rows pushed for Ada, in order. */
const ada = (key: string): TestRow[] => rowsOf(receiver, key).filter((row) => row.userId === userOf('ada'));
const lastOf = (key: string, date: string) => ada(key).findLast((row) => row.calendarDate === date);

it('sends every key to one URL, with the client id', () => {
  const keys = new Set(receiver.received.flatMap(({ body }) => Object.keys(JSON.parse(body))));
  for (const key of [
    'dailies',
    'epochs',
    'sleeps',
    'hrv',
    'stressDetails',
    'pulseox',
    'allDayRespiration',
    'skinTemp',
    'userMetrics',
    'bodyComps',
    'bloodPressures',
    'activities',
    'activityDetails',
  ])
    expect(keys).toContain(key);
  for (const { method, path, headers } of receiver.received)
    expect([method, path, headers['garmin-client-id']]).toEqual(['POST', '/all', 'test-app']);
});

it('sometimes sends several people in one call', () => {
  const users = receiver.received.map(({ body }) => {
    const rows = Object.values(JSON.parse(body) as Record<string, TestRow[]>).flat();
    return new Set(rows.map((row) => row.userId)).size;
  });
  expect(users).toContain(2);
  expect(users.filter((count) => count === 1).length).toBeGreaterThan(users.length / 2);
});

describe('days', () => {
  it.each(dates)('match the ground truth of %s in meters, seconds and kilocalories', (date) => {
    const truth = lab.truth('ada', date);
    const week = Array.from({ length: 7 }, (_, ago) =>
      new Date(Date.parse(date) - ago * 24 * hour).toISOString().slice(0, 10),
    );
    const { low, medium, high } = truth.activeSeconds;
    expect(lastOf('dailies', date)).toMatchObject({
      userId: userOf('ada'),
      startTimeInSeconds: truth.start / 1000,
      startTimeOffsetInSeconds: 7200,
      durationInSeconds: 86_400,
      steps: truth.steps,
      distanceInMeters: truth.distanceM,
      activeTimeInSeconds: low + medium + high,
      activeKilocalories: truth.activeKcal,
      bmrKilocalories: truth.basalKcal,
      floorsClimbed: truth.floors,
      moderateIntensityDurationInSeconds: medium,
      vigorousIntensityDurationInSeconds: high,
      restingHeartRateInBeatsPerMinute: truth.restingHeartRate,
      minHeartRateInBeatsPerMinute: Math.min(...values(truth.heartRate)),
      maxHeartRateInBeatsPerMinute: Math.max(...values(truth.heartRate)),
      averageHeartRateInBeatsPerMinute: Math.round(
        mean(week.map((one) => mean(values(lab.truth('ada', one).heartRate)))),
      ),
      highStressDurationInSeconds: truth.stressHighSeconds,
      timeOffsetHeartRateSamples: Object.fromEntries(
        truth.heartRate.map(({ at, value }) => [String((at - truth.start) / 1000), Math.round(value)]),
      ),
    });
  });

  it('are sent again under new ids as they grow', () => {
    const sent = ada('dailies').filter((row) => row.calendarDate === '2026-05-07');
    const durations = sent
      .map((row) => row.durationInSeconds)
      .filter((duration, at, all) => duration !== all[at - 1]);
    expect(durations).toEqual([21_600, 43_200, 64_800, 86_400]);
    expect(new Set(sent.map((row) => row.summaryId)).size).toBe(4);
    const steps = sent.map((row) => row.steps);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(steps[0]).toBeLessThan(steps.at(-1));
  });

  it.each(dates)(
    'of %s equal the sum of their 15-minute epochs, which have one row per activity type',
    (date) => {
      const truth = lab.truth('ada', date);
      const rows = new Map(
        ada('epochs').map((row) => [`${row.startTimeInSeconds} ${row.activityType}`, row]),
      );
      const mine = [...rows.values()].filter((row) => row.calendarDate === date);
      const sum = (name: string, from = 0, to = Infinity) =>
        mine
          .filter((row) => row.startTimeInSeconds >= from && row.startTimeInSeconds < to)
          .reduce((total, row) => total + row[name], 0);
      expect([
        sum('steps'),
        sum('distanceInMeters'),
        sum('activeKilocalories'),
        sum('activeTimeInSeconds'),
      ]).toEqual([truth.steps, truth.distanceM, truth.activeKcal, 86_400]);
      for (const [hour, steps] of truth.hourlySteps.entries()) {
        const from = truth.start / 1000 + hour * 3600;
        expect(sum('steps', from, from + 3600), `hour ${hour}`).toBe(steps);
      }
      expect(new Set(mine.map((row) => row.startTimeInSeconds)).size).toBe(96);
      expect(mine.length).toBeGreaterThan(96);
    },
  );
});

describe('nights', () => {
  it.each(dates)('match the ground truth of %s in seconds', (date) => {
    const truth = lab.truth('ada', date).sleeps.find((sleep) => sleep.isMain)!;
    const lasted = (stage: Stage) =>
      truth.stages
        .filter((one) => one.stage === stage)
        .reduce((sum, { start, end }) => sum + (end - start) / 1000, 0);
    const summary = lastOf('sleeps', date);
    const asleepUntil = truth.stages.findLast(({ stage }) => stage !== 'awake')!.end;
    expect(summary).toMatchObject({
      startTimeInSeconds: truth.start / 1000,
      durationInSeconds: (asleepUntil - truth.start) / 1000,
      deepSleepDurationInSeconds: lasted('deep'),
      lightSleepDurationInSeconds: lasted('light'),
      remSleepInSeconds: lasted('rem'),
      awakeDurationInSeconds: lasted('awake'),
      validation: 'AUTO_FINAL',
    });
    const spans = (stage: Stage) =>
      truth.stages
        .filter((one) => one.stage === stage)
        .map(({ start, end }) => ({ startTimeInSeconds: start / 1000, endTimeInSeconds: end / 1000 }));
    expect(summary.sleepLevelsMap).toEqual({
      deep: spans('deep'),
      light: spans('light'),
      rem: spans('rem'),
      awake: spans('awake'),
    });
    expect(mean(Object.values(summary.timeOffsetSleepSpo2))).toBeCloseTo(truth.bloodOxygenPercent, 5);
    expect(mean(Object.values(summary.timeOffsetSleepRespiration))).toBeCloseTo(truth.respiratoryRate, 5);
    expect(summary.overallSleepScore.value).toBeGreaterThan(0);
  });

  it('are tentative at first, without REM, and later replaced', () => {
    const sent = ada('sleeps').filter((row) => row.calendarDate === '2026-05-08');
    const [first, last] = [sent[0], sent.at(-1)];
    expect([first.validation, first.remSleepInSeconds]).toEqual(['AUTO_TENTATIVE', 0]);
    expect(first).not.toHaveProperty('overallSleepScore');
    expect(last.validation).toBe('AUTO_FINAL');
    expect(last.remSleepInSeconds).toBeGreaterThan(0);
    expect(first.summaryId).not.toBe(last.summaryId);
  });

  it('include heart rate variability, blood oxygen and skin temperature', () => {
    const day = lab.truth('ada', '2026-05-08');
    const night = day.sleeps.find((sleep) => sleep.isMain)!;
    expect(lastOf('hrv', day.date)).toMatchObject({
      startTimeInSeconds: night.start / 1000,
      lastNightAvg: night.averageHrv,
      lastNight5MinHigh: Math.max(...values(night.hrv)),
      hrvValues: Object.fromEntries(
        night.hrv.map(({ at, value }) => [String((at - night.start) / 1000), Math.round(value)]),
      ),
    });
    expect(new Set(Object.values(lastOf('pulseox', day.date).timeOffsetSpo2Values))).toEqual(
      new Set([night.bloodOxygenPercent]),
    );
    expect(lastOf('skinTemp', day.date).avgDeviationCelsius).toBe(day.temperatureDeviationC);
  });
});

it('reports negative stress while a person moves too much to measure it', () => {
  const date = dates.find((one) => lab.truth('ada', one).workouts.length > 0)!;
  const truth = lab.truth('ada', date);
  const stress = lastOf('stressDetails', date).timeOffsetStressLevelValues as Record<string, number>;
  const during = Object.entries(stress).filter(([offset]) => {
    const at = truth.start + Number(offset) * 1000;
    return truth.workouts.some(({ start, end }) => at >= start && at < end);
  });
  expect(during.length).toBeGreaterThan(0);
  expect(new Set(during.map(([, value]) => value))).toEqual(new Set([-2]));
  expect(Object.keys(stress)).toHaveLength(480);
  expect(new Set(Object.values(lastOf('allDayRespiration', date).timeOffsetEpochToBreaths))).toEqual(
    new Set([truth.respiratoryRate]),
  );
  expect(lastOf('userMetrics', date).vo2Max).toBe(truth.vo2Max);
});

it('reports weight in grams and blood pressure in mmHg', () => {
  const days = Array.from({ length: 9 }, (_, at) =>
    lab.truth('ada', new Date(noon + (at + 1) * 24 * hour).toISOString().slice(0, 10)),
  );
  const bodies = days.flatMap(({ body }) =>
    body && body.at > noon && body.at < noon + 9 * 24 * hour ? [body] : [],
  );
  expect(bodies.length).toBeGreaterThan(0);
  for (const body of bodies)
    expect(ada('bodyComps').find((row) => row.measurementTimeInSeconds === body.at / 1000)).toMatchObject({
      weightInGrams: Math.round(body.weightKg * 1000),
      muscleMassInGrams: Math.round(body.muscleKg * 1000),
      boneMassInGrams: Math.round(body.boneKg * 1000),
      bodyWaterInPercent: Math.round((1000 * body.waterKg) / body.weightKg) / 10,
      bodyFatInPercent: body.fatPercent,
    });
  const all = rowsOf(receiver, 'bloodPressures');
  expect(all.length).toBeGreaterThan(0);
  for (const row of all) {
    const person = row.userId === userOf('ada') ? 'ada' : 'ben';
    const measurements = dates
      .concat('2026-05-04', '2026-05-05', '2026-05-13', '2026-05-14')
      .map((date) => lab.truth(person, date).bloodPressure);
    const truth = measurements.find((one) => one && one.at / 1000 === row.measurementTimeInSeconds)!;
    expect(row).toMatchObject({ systolic: truth.systolic, diastolic: truth.diastolic, pulse: truth.pulse });
  }
});
