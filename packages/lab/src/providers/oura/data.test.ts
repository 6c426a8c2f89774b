import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLab } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import type { Day, Stage } from '../../world/people/day.ts';
import { personOf } from '../../world/people/people.ts';
import { connect, type Connection, type Json } from '../../test/connect-person.ts';
import { oura } from './index.ts';
import { policy } from './policy.ts';

const endpoints = { authorize: '/oura/cloud/oauth/authorize', token: '/oura/api/oauth/token' };
const base = '/oura/api/v2/usercollection';
// The days before, of and after the start of daylight saving time.
const dates = ['2026-03-28', '2026-03-29', '2026-03-30'];
let lab: Lab;
let ada: Connection;

beforeAll(async () => {
  lab = await startLab({ providers: [oura], startAt: Date.parse('2026-04-20T12:00:00Z') });
  ada = await connect(lab, endpoints, 'ada', policy.scopes);
});
afterAll(() => lab[Symbol.asyncDispose]());

const truthOf = (date: string): Day => lab.truth('ada', date);
async function documents(name: string, start: string, end: string): Promise<Json[]> {
  const { status, body } = await ada.get(`${base}/${name}?start_date=${start}&end_date=${end}`);
  expect(status).toBe(200);
  expect(body.next_token).toBeNull();
  return body.data;
}
async function one(name: string, date: string): Promise<Json> {
  const matches = (await documents(name, date, `${date}T23:59:59`)).filter(({ day }) => day === date);
  expect(matches).toHaveLength(1);
  return matches[0];
}
const secondsIn = (day: Day, stage: Stage): number =>
  (day.sleeps[0]?.stages ?? [])
    .filter((span) => span.stage === stage)
    .reduce((sum, span) => sum + (span.end - span.start) / 1000, 0);

describe.each(dates)('on %s', (date) => {
  test('reports a night in seconds and local time', async () => {
    const truth = truthOf(date);
    const sleep = truth.sleeps[0]!;
    const night = (await documents('sleep', date, `${date}T23:59:59`)).find(
      ({ type }) => type === 'long_sleep',
    );
    const asleep = secondsIn(truth, 'light') + secondsIn(truth, 'deep') + secondsIn(truth, 'rem');
    expect(night).toMatchObject({
      day: date,
      type: 'long_sleep',
      total_sleep_duration: asleep,
      deep_sleep_duration: secondsIn(truth, 'deep'),
      light_sleep_duration: secondsIn(truth, 'light'),
      rem_sleep_duration: secondsIn(truth, 'rem'),
      awake_time: secondsIn(truth, 'awake'),
      time_in_bed: (sleep.end - sleep.start) / 1000,
      latency: (sleep.stages[0]!.end - sleep.start) / 1000,
      efficiency: Math.round((asleep / ((sleep.end - sleep.start) / 1000)) * 100),
      average_heart_rate: sleep.averageHeartRate,
      lowest_heart_rate: sleep.lowestHeartRate,
      average_hrv: sleep.averageHrv,
      average_breath: sleep.respiratoryRate,
      restless_periods: sleep.disturbances,
      sleep_analysis_reason: 'foreground_sleep_analysis',
    });
    expect(Date.parse(night.bedtime_start)).toBe(sleep.start);
    expect(Date.parse(night.bedtime_end)).toBe(sleep.end);
    expect(night.bedtime_end.slice(-6)).toBe(date === '2026-03-28' ? '+01:00' : '+02:00');
    expect(night.bedtime_start.slice(-6)).toBe(date === '2026-03-30' ? '+02:00' : '+01:00');
  });

  test('reports the course of a night as series and digits', async () => {
    const sleep = truthOf(date).sleeps[0]!;
    const night = (await documents('sleep', date, `${date}T23:59:59`)).find(
      ({ type }) => type === 'long_sleep',
    );
    for (const [series, samples] of [
      [night.heart_rate, sleep.heartRate],
      [night.hrv, sleep.hrv],
    ]) {
      expect(series.interval).toBe(300);
      expect(series.items).toHaveLength(samples.length);
      expect(series.items[0]).toBeNull();
      for (const [index, item] of series.items.slice(1).entries()) {
        const at = Date.parse(series.timestamp) + (index + 1) * 300_000;
        expect(item).toBe(samples.find((sample: { at: number }) => sample.at === at)?.value);
      }
    }
    expect(night.sleep_phase_30_sec).toHaveLength(Math.ceil((sleep.end - sleep.start) / 30_000));
    expect(night.sleep_phase_5_min).toHaveLength(Math.ceil((sleep.end - sleep.start) / 300_000));
    const digits: Record<Stage, string> = { deep: '1', light: '2', rem: '3', awake: '4' };
    for (const span of sleep.stages) {
      const middle = Math.floor(((span.start + span.end) / 2 - sleep.start) / 30_000);
      expect(night.sleep_phase_30_sec[middle]).toBe(digits[span.stage]);
    }
  });

  test('reports activity from four to four that adds up to the steps walked', async () => {
    const truth = truthOf(date);
    const activity = await one('daily_activity', date);
    const hours = truth.hourlySteps.length;
    const early = hours === 23 ? 3 : 4;
    const next = truthOf(new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10));
    const nextEarly = next.hourlySteps.length === 23 ? 3 : 4;
    const sum = (steps: number[]): number => steps.reduce((total, value) => total + value, 0);
    expect(activity.steps).toBe(
      sum(truth.hourlySteps.slice(early)) + sum(next.hourlySteps.slice(0, nextEarly)),
    );
    expect(activity.met.timestamp).toMatch(new RegExp(`^${date}T04:00:00`));
    expect(activity.met.interval).toBe(60);
    const quarters = Math.round((hours - early + nextEarly) * 12);
    expect(activity.class_5_min).toHaveLength(quarters);
    expect(activity.met.items).toHaveLength(quarters * 5);
    const shared = (pick: (day: Day) => number): number =>
      (pick(truth) * sum(truth.hourlySteps.slice(early))) / truth.steps +
      (pick(next) * sum(next.hourlySteps.slice(0, nextEarly))) / next.steps;
    const basal =
      (truth.basalKcal * (hours - early)) / hours + (next.basalKcal * nextEarly) / next.hourlySteps.length;
    for (const [value, expected] of [
      [activity.equivalent_walking_distance, shared((day) => day.distanceM)],
      [activity.active_calories, shared((day) => day.activeKcal)],
      [activity.total_calories, shared((day) => day.activeKcal) + basal],
      [activity.high_activity_time, shared((day) => day.activeSeconds.high)],
      [activity.medium_activity_time, shared((day) => day.activeSeconds.medium)],
      [activity.low_activity_time, shared((day) => day.activeSeconds.low)],
    ])
      expect(Math.abs(value - expected)).toBeLessThanOrEqual(1);
    expect(Math.abs(activity.sedentary_time / truth.sedentarySeconds - 1)).toBeLessThan(0.15);
    const { high_activity_time: high, medium_activity_time: medium, low_activity_time: low } = activity;
    expect(high + medium + low + activity.sedentary_time + activity.resting_time).toBe(quarters * 300);
    expect(activity.non_wear_time).toBe(0);
    const digits = [...activity.class_5_min].filter((digit) => digit === '3').length;
    expect(Math.abs(digits * 300 - activity.low_activity_time)).toBeLessThanOrEqual(300);
  });

  test('reports readiness with a temperature in degrees and scores named after measurements', async () => {
    const truth = truthOf(date);
    const readiness = await one('daily_readiness', date);
    expect(readiness.temperature_deviation).toBe(truth.temperatureDeviationC);
    for (const score of [readiness.score, ...Object.values<number>(readiness.contributors)]) {
      expect(score).toBeGreaterThanOrEqual(1);
      expect(score).toBeLessThanOrEqual(100);
    }
    expect(readiness.contributors.resting_heart_rate).not.toBe(truth.restingHeartRate);
    expect(readiness.contributors.hrv_balance).not.toBe(truth.hrvRmssd);
    const night = (await documents('sleep', date, `${date}T23:59:59`)).find(
      ({ type }) => type === 'long_sleep',
    );
    expect(night.readiness).toEqual({ ...readiness, id: undefined, day: undefined });
  });

  test('reports oxygen, stress, resilience, fitness and vascular age', async () => {
    const truth = truthOf(date);
    expect(await one('daily_spo2', date)).toMatchObject({
      spo2_percentage: { average: truth.sleeps[0]!.bloodOxygenPercent },
      breathing_disturbance_index: truth.sleeps[0]!.disturbances,
    });
    const stress = await one('daily_stress', date);
    expect(stress).toMatchObject({
      stress_high: truth.stressHighSeconds,
      recovery_high: truth.recoveryHighSeconds,
    });
    expect(['restored', 'normal', 'stressful']).toContain(stress.day_summary);
    const { level } = await one('daily_resilience', date);
    expect(['limited', 'adequate', 'solid', 'strong', 'exceptional']).toContain(level);
    expect((await one('vO2_max', date)).vo2_max).toBe(truth.vo2Max);
    const arteries = await one('daily_cardiovascular_age', date);
    expect(arteries.vascular_age).toBeGreaterThan(17);
    expect(arteries.pulse_wave_velocity).toBeGreaterThan(4);
    expect((await one('daily_sleep', date)).score).toBeGreaterThan(0);
  });
});

test('reports workouts with energy in kcal, distance in meters and no heart rate', async () => {
  const workoutDocuments = await documents('workout', '2026-03-01', '2026-03-31');
  const words = {
    running: 'running',
    cycling: 'cycling',
    swimming: 'swimming',
    walking: 'walking',
    yoga: 'yoga',
  };
  const truths = Array.from({ length: 30 }, (_, index) =>
    truthOf(`2026-03-${String(index + 1).padStart(2, '0')}`),
  );
  const workouts = truths.flatMap((day) => day.workouts);
  expect(workouts.length).toBeGreaterThan(4);
  expect(workoutDocuments).toHaveLength(workouts.length);
  for (const [index, workout] of workouts.entries()) {
    const { id, day, intensity, ...rest } = workoutDocuments[index];
    expect({
      ...rest,
      start_datetime: Date.parse(rest.start_datetime),
      end_datetime: Date.parse(rest.end_datetime),
    }).toEqual({
      activity: { ...words, strength: 'strength_training' }[workout.sport],
      start_datetime: workout.start,
      end_datetime: workout.end,
      calories: workout.activeKcal,
      distance: workout.distanceM,
      source: 'autodetected',
    });
    expect(['easy', 'moderate', 'hard']).toContain(intensity);
    expect(rest.start_datetime.slice(0, 10)).toBe(day);
    expect((await ada.get(`${base}/workout/${id}`)).body).toEqual(workoutDocuments[index]);
  }
});

test('returns empty lists for the five collections without data', async () => {
  for (const name of ['session', 'sleep_time', 'rest_mode_period', 'ring_configuration', 'enhanced_tag'])
    expect(await documents(name, '2026-03-01', '2026-03-05')).toEqual([]);
});

test('returns the id in personal_info, and the body only with its scope', async () => {
  const { body } = await ada.get(`${base}/personal_info`);
  const weighed = Array.from({ length: 60 }, (_, back) =>
    truthOf(new Date(lab.clock.now() - back * 86_400_000).toISOString().slice(0, 10)),
  ).find((day) => day.body && day.body.at <= lab.clock.now());
  expect(body.weight).toBe(weighed?.body?.weightKg);
  expect(body.height).toBe(personOf('ada', 1)?.heightM);
  expect(body.id).toBe(lab.grants('oura')[0]?.userId);
  const ben = await connect(lab, endpoints, 'ben', ['daily']);
  expect(Object.keys((await ben.get(`${base}/personal_info`)).body)).toEqual(['id']);
});

test("returns another person's data in the sandbox, in the same format", async () => {
  const path = 'daily_sleep?start_date=2026-03-28&end_date=2026-03-29';
  const [mine, sandbox] = [
    await ada.get(`${base}/${path}`),
    await ada.get(`/oura/api/v2/sandbox/usercollection/${path}`),
  ];
  expect(Object.keys(sandbox.body.data[0])).toEqual(Object.keys(mine.body.data[0]));
  expect(sandbox.body.data[0].id).not.toBe(mine.body.data[0].id);
});
