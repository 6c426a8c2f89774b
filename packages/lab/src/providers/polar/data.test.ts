import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLab } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import type { Day, Sleep, Stage } from '../../world/people/day.ts';
import { personOf } from '../../world/people/people.ts';
import type { Json } from '../../test/connect-person.ts';
import { polar } from './index.ts';
import { connectPolar, type Client } from './test-client.ts';

const people = ['ada', 'gita'] as const;
const day = 86_400_000;
let lab: Lab;
const clients = new Map<string, Client>();

beforeAll(async () => {
  lab = await startLab({ providers: [polar], startAt: Date.parse('2026-03-10T12:00:00Z') });
  for (const person of people) clients.set(person, await connectPolar(lab, person));
  await lab.clock.moveTo(Date.parse('2026-04-20T11:00:00Z'));
});
afterAll(() => lab[Symbol.asyncDispose]());

const dates = Array.from({ length: 27 }, (_, index) =>
  new Date(Date.UTC(2026, 2, 24 + index)).toISOString().slice(0, 10),
);
const seconds = (sleep: Sleep, stage: Stage): number =>
  sleep.stages.filter((span) => span.stage === stage).reduce((sum, { start, end }) => sum + end - start, 0) /
  1000;
const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const secondsOf = (duration: string): number => {
  const [, hours = 0, minutes = 0, rest = 0] = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(duration) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
};

describe.each(people)('%s', (person) => {
  const get = async (path: string): Promise<Json> => {
    const { status, body } = await clients.get(person)!.get(path);
    expect(status, path).toBe(200);
    return body;
  };
  const truth = (date: string): Day => lab.truth(person, date);
  /** The time of a timestamp without an offset. Daylight saving time begins in Berlin on March 29. */
  const momentOf = (local: string): number =>
    Date.parse(`${local}${person === 'gita' ? '+05:45' : local < '2026-03-29T02' ? '+01:00' : '+02:00'}`);

  test('returns activities in kilocalories, with and without the resting share, and meters', async () => {
    const activities = await get(
      '/users/activities?from=2026-03-24&to=2026-04-19&steps=true&activity_zones=true',
    );
    expect(activities).toHaveLength(dates.length);
    for (const [index, date] of dates.entries()) {
      const of = truth(date);
      const { active_duration: active, inactive_duration: inactive, samples, ...rest } = activities[index];
      expect(rest).toMatchObject({
        start_time: `${date}T00:00:00`,
        calories: of.activeKcal + of.basalKcal,
        active_calories: of.activeKcal,
        steps: of.steps,
        distance_from_steps: of.distanceM,
      });
      expect(momentOf(rest.end_time)).toBe(of.end);
      expect(secondsOf(active)).toBe(of.activeSeconds.low + of.activeSeconds.medium + of.activeSeconds.high);
      expect(secondsOf(inactive)).toBe(of.sedentarySeconds);
      expect(samples.steps.samples.map(({ steps }: Json) => steps)).toEqual(of.hourlySteps);
      expect(samples.activity_zones.samples).toHaveLength(of.hourlySteps.length);
    }
    const plain = await get('/users/activities/2026-04-10');
    expect(plain).not.toHaveProperty('samples');
    expect(activities[dates.indexOf('2026-04-10')]).toMatchObject(plain);
  });

  test('returns nights in seconds, with times that start over at midnight', async () => {
    const { nights } = await get('/users/sleep');
    const nightsInRange = nights.filter(({ date }: Json) => dates.includes(date));
    expect(nightsInRange.map(({ date }: Json) => date)).toEqual(dates);
    for (const night of nightsInRange) {
      const sleep = truth(night.date).sleeps[0]!;
      expect(night).toMatchObject({
        light_sleep: seconds(sleep, 'light'),
        deep_sleep: seconds(sleep, 'deep'),
        rem_sleep: seconds(sleep, 'rem'),
        unrecognized_sleep_stage: 0,
        total_interruption_duration: seconds(sleep, 'awake'),
      });
      expect([Date.parse(night.sleep_start_time), Date.parse(night.sleep_end_time)]).toEqual([
        sleep.start,
        sleep.end,
      ]);
      const depths = { awake: [0], rem: [1], light: [2, 3], deep: [4] };
      // In the night that skips an hour, the keys still stay in order.
      expect(Object.values(night.hypnogram)).toHaveLength(sleep.stages.length);
      for (const [index, [time, depth]] of Object.entries(night.hypnogram).entries()) {
        const span = sleep.stages[index]!;
        expect(depths[span.stage]).toContain(depth);
        const minute = Math.floor(span.start / 60_000) * 60_000;
        const near = night.sleep_start_time.slice(0, 11);
        const at = momentOf(`${near}${time}:00`);
        expect(Math.min(...[at, at + day, at + day - 3_600_000].map((one) => Math.abs(one - minute)))).toBe(
          0,
        );
      }
      expect(Object.values(night.heart_rate_samples)).toEqual(sleep.heartRate.map(({ value }) => value));
      expect(await get(`/users/sleep/${night.date}`)).toEqual(night);
    }
    const { available } = await get('/users/sleep/available');
    expect(available).toEqual(
      nights.map((night: Json) => ({
        date: night.date,
        start_time: night.sleep_start_time,
        end_time: night.sleep_end_time,
      })),
    );
  });

  test('returns nightly recharge for the four hours that begin half an hour after falling asleep', async () => {
    const { recharges } = await get('/users/nightly-recharge');
    for (const recharge of recharges.filter(({ date }: Json) => dates.includes(date))) {
      const sleep = truth(recharge.date).sleeps[0]!;
      const from = sleep.stages[0]!.end + 1_800_000;
      const inside = ({ at }: { at: number }): boolean => at >= from && at < from + 4 * 3_600_000;
      const rate = mean(sleep.heartRate.filter(inside).map(({ value }) => value));
      expect(recharge).toMatchObject({
        heart_rate_avg: Math.round(rate),
        beat_to_beat_avg: Math.round(60_000 / rate),
        heart_rate_variability_avg: Math.round(mean(sleep.hrv.filter(inside).map(({ value }) => value))),
        breathing_rate_avg: sleep.respiratoryRate,
      });
      expect(Object.values(recharge.hrv_samples)).toEqual(sleep.hrv.filter(inside).map(({ value }) => value));
      expect(recharge.ans_charge).toBeGreaterThanOrEqual(-10);
      expect(recharge.ans_charge).toBeLessThanOrEqual(10);
      expect([1, 2, 3, 4, 5, 6]).toContain(recharge.nightly_recharge_status);
    }
    expect(await get('/users/nightly-recharge/2026-04-10')).toMatchObject({ date: '2026-04-10' });
  });

  test('returns the heart rate of a day in device time', async () => {
    const heartRate = await get('/users/continuous-heart-rate/2026-04-10');
    expect(heartRate.heart_rate_samples.map(({ heart_rate: rate }: Json) => rate)).toEqual(
      truth('2026-04-10').heartRate.map(({ value }) => value),
    );
    expect(
      heartRate.heart_rate_samples.map((one: Json) => momentOf(`2026-04-10T${one.sample_time}`)),
    ).toEqual(truth('2026-04-10').heartRate.map(({ at }) => at));
    const { heart_rates: both } = await get('/users/continuous-heart-rate?from=2026-04-10&to=2026-04-11');
    expect(both).toEqual([heartRate, await get('/users/continuous-heart-rate/2026-04-11')]);
  });

  test('returns exercises, with zones and samples on request', async () => {
    const exercises = await get('/exercises?samples=true&zones=true');
    const workouts = dates.flatMap((date) => truth(date).workouts);
    expect(workouts.length).toBeGreaterThan(3);
    for (const workout of workouts) {
      const one = exercises.find((each: Json) => momentOf(each.start_time) === workout.start);
      expect(one).toMatchObject({
        start_time_utc_offset: (Date.parse(`${one.start_time}Z`) - workout.start) / 60_000,
        calories: workout.activeKcal,
        heart_rate: { average: workout.averageHeartRate, maximum: workout.maxHeartRate },
        detailed_sport_info: workout.sport === 'strength' ? 'STRENGTH_TRAINING' : workout.sport.toUpperCase(),
        sport: ['strength', 'yoga'].includes(workout.sport) ? 'OTHER' : workout.sport.toUpperCase(),
      });
      expect(one.distance ?? null).toBe(workout.distanceM);
      expect(secondsOf(one.duration)).toBe((workout.end - workout.start) / 1000);
      expect(one.heart_rate_zones.map((zone: Json) => [zone.index, secondsOf(zone['in-zone'])])).toEqual(
        workout.zoneSeconds.map((inZone, index) => [index + 1, inZone]),
      );
      expect(one.samples[0]).toMatchObject({ 'recording-rate': 10, 'sample-type': '0' });
      expect(one.samples[0].data.split(',').map(Number)).toEqual(workout.heartRate.map(({ value }) => value));
      const { samples: _, heart_rate_zones: __, ...plain } = one;
      expect(await get(`/exercises/${one.id}`)).toEqual(plain);
    }
    expect((await clients.get(person)!.get(`/exercises/${exercises[0].id}/fit`)).status).toBe(204);
    const other = clients.get(person === 'ada' ? 'gita' : 'ada')!;
    expect((await other.get(`/exercises/${exercises[0].id}`)).status).toBe(404);
  });

  test('returns body, load and sensor data', async () => {
    const today = truth('2026-04-20');
    const scales = Array.from(
      { length: 40 },
      (_, back) => truth(new Date(Date.UTC(2026, 3, 20 - back)).toISOString().slice(0, 10)).body,
    );
    const info = await get('/users/physical-info');
    expect(info).toMatchObject({
      weight: scales.find((body) => body && body.at < lab.clock.now() - 1_800_000)!.weightKg,
      height: personOf(person, 1)!.heightM * 100,
      resting_heart_rate: today.restingHeartRate,
      vo2_max: today.vo2Max,
    });
    const loads = await get('/users/cardio-load/date?from=2026-04-10&to=2026-04-12');
    expect(loads.map(({ date }: Json) => date)).toEqual(['2026-04-10', '2026-04-11', '2026-04-12']);
    for (const load of loads) {
      const minutes = truth(load.date).workouts.flatMap(({ zoneSeconds }) =>
        zoneSeconds.map((inZone, index) => (inZone * (index + 1)) / 60),
      );
      expect(load.cardio_load).toBe(Math.round(minutes.reduce((sum, each) => sum + each, 0)));
      expect(await get(`/users/cardio-load/${load.date}`)).toEqual(load);
    }
    expect((await get('/users/cardio-load')).length).toBeGreaterThan(26);
    const skin = await get('/users/biosensing/skintemperature?from=2026-04-10&to=2026-04-12');
    const oxygen = await get('/users/biosensing/spo2?from=2026-04-10&to=2026-04-12');
    for (const [index, date] of ['2026-04-10', '2026-04-11', '2026-04-12'].entries()) {
      const night = truth(date).sleeps[0]!;
      expect(skin[index]).toEqual({
        sleep_time_skin_temperature_celsius: night.skinTemperatureC,
        deviation_from_baseline_celsius: truth(date).temperatureDeviationC,
        sleep_date: date,
      });
      expect(oxygen[index]).toEqual({
        blood_oxygen_percent: night.bloodOxygenPercent,
        test_time: night.end / 1000,
        time_zone_offset: person === 'ada' ? 120 : 345,
      });
    }
    expect((await clients.get(person)!.get('/users/biosensing/bodytemperature')).status).toBe(204);
  });
});

test('returns new body data every day, regardless of when the person was weighed', async () => {
  const startAt = Date.parse('2026-04-20T12:00:00Z');
  await using own = await startLab({ providers: [polar], startAt });
  const { get } = await connectPolar(own, 'ada');
  for (let days = 1; days <= 10; days += 1) {
    await own.clock.moveTo(startAt + days * day);
    const date = new Date(own.clock.now()).toISOString().slice(0, 10);
    const { body } = await get('/users/physical-info');
    expect(Date.parse(body.modified), date).toBeGreaterThanOrEqual(own.truth('ada', date).start);
  }
});
