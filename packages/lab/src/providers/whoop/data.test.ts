import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLab } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import type { Day, Sleep, Stage } from '../../world/people/day.ts';
import { personOf } from '../../world/people/people.ts';
import { connect, type Connection, type Json } from '../../test/connect-person.ts';
import { whoop } from './index.ts';
import { policy } from './policy.ts';

const endpoints = { authorize: '/whoop/oauth/oauth2/auth', token: '/whoop/oauth/oauth2/token' };
const base = '/whoop/developer/v2';
const people = ['ada', 'dara', 'gita'];
let lab: Lab;
let connections: Map<string, Connection>;

beforeAll(async () => {
  lab = await startLab({ providers: [whoop], startAt: Date.parse('2026-04-20T12:00:00Z') });
  connections = new Map();
  for (const person of people) connections.set(person, await connect(lab, endpoints, person, policy.scopes));
});
afterAll(() => lab[Symbol.asyncDispose]());

/** Starts a new window, because other tests use up the calls of the current minute. */
async function get(person: string, path: string): Promise<Json> {
  const { status, body, headers } = await connections.get(person)!.get(`${base}${path}`);
  if (status === 429) {
    await lab.clock.advance(Number(headers.get('x-ratelimit-reset')) * 1000);
    return get(person, path);
  }
  expect(status, path).toBe(200);
  return body;
}
const inRange = 'start=2026-04-08T00:00:00Z&end=2026-04-12T00:00:00Z&limit=25';
const dates = Array.from({ length: 7 }, (_, index) => `2026-04-${String(index + 7).padStart(2, '0')}`);
const within = (ms: number): boolean =>
  ms >= Date.parse('2026-04-08T00:00:00Z') && ms < Date.parse('2026-04-12T00:00:00Z');
const offsets: Record<string, RegExp> = { ada: /^\+02:00$/, dara: /^(Z|[+-]\d\d:\d\d)$/, gita: /^\+05:45$/ };
const millis = (sleep: Sleep, stage: Stage): number =>
  sleep.stages.filter((span) => span.stage === stage).reduce((sum, span) => sum + span.end - span.start, 0);

describe.each(people)('%s', (person) => {
  const days = (): Day[] => dates.map((date) => lab.truth(person, date));

  test('returns sleeps in milliseconds, newest first', async () => {
    const truths = days()
      .flatMap((day) => day.sleeps)
      .filter(({ start }) => within(start))
      .toReversed();
    const { records } = await get(person, `/activity/sleep?${inRange}`);
    expect(records).toHaveLength(truths.length);
    for (const [index, sleep] of truths.entries()) {
      const record = records[index];
      expect(record).toMatchObject({
        user_id: Number(lab.grants('whoop').find(({ personId }) => personId === person)?.userId),
        start: new Date(sleep.start).toISOString(),
        end: new Date(sleep.end).toISOString(),
        timezone_offset: expect.stringMatching(offsets[person]!),
        nap: !sleep.isMain,
      });
      if (record.score_state === 'UNSCORABLE') continue;
      const asleep = millis(sleep, 'light') + millis(sleep, 'deep') + millis(sleep, 'rem');
      expect(record.score).toEqual({
        stage_summary: {
          total_in_bed_time_milli: sleep.end - sleep.start,
          total_awake_time_milli: millis(sleep, 'awake'),
          total_no_data_time_milli: 0,
          total_light_sleep_time_milli: millis(sleep, 'light'),
          total_slow_wave_sleep_time_milli: millis(sleep, 'deep'),
          total_rem_sleep_time_milli: millis(sleep, 'rem'),
          disturbance_count: sleep.disturbances,
        },
        respiratory_rate: sleep.respiratoryRate,
        sleep_performance_percentage: Math.min(100, Math.round((100 * asleep) / (8 * 3_600_000))),
        sleep_consistency_percentage: expect.any(Number),
        sleep_efficiency_percentage: (100 * asleep) / (sleep.end - sleep.start),
      });
      expect(await get(person, `/activity/sleep/${record.id}`)).toEqual(record);
    }
  });

  test('returns cycles from night to night, with the energy of the whole day in kilojoules', async () => {
    const { records } = await get(person, `/cycle?${inRange}`);
    const truths = days();
    const nights = truths.flatMap((day, index) => {
      const next = truths[index + 1]?.sleeps[0];
      return next && within(day.sleeps[0]!.start) ? [{ day, night: day.sleeps[0]!, next }] : [];
    });
    expect(records).toHaveLength(nights.length);
    for (const [index, { day, night, next }] of nights.toReversed().entries()) {
      const record = records[index];
      expect(record).toMatchObject({
        id: expect.any(Number),
        start: new Date(night.start).toISOString(),
        end: new Date(next.start).toISOString(),
        score_state: 'SCORED',
      });
      const beats = truths
        .flatMap(({ heartRate }) => heartRate)
        .filter(({ at }) => at >= night.start && at < next.start)
        .map(({ value }) => value);
      expect(record.score.kilojoule).toBeCloseTo(4.184 * (day.activeKcal + day.basalKcal), 6);
      expect(record.score.max_heart_rate).toBe(Math.max(...beats));
      expect(record.score.average_heart_rate).toBe(
        Math.round(beats.reduce((sum, beat) => sum + beat) / beats.length),
      );
      expect(record.score.strain).toBeGreaterThan(0);
      expect(record.score.strain).toBeLessThan(21);
      expect(await get(person, `/cycle/${record.id}`)).toEqual(record);
      const sleep = await get(person, `/cycle/${record.id}/sleep`);
      expect([sleep.cycle_id, Date.parse(sleep.end)]).toEqual([record.id, night.end]);
    }
  });

  test('returns a recovery by its cycle, with the id of its sleep', async () => {
    const { records } = await get(person, `/recovery?${inRange}`);
    const nights = days()
      .filter(({ sleeps }) => within(sleeps[0]!.end))
      .toReversed();
    expect(records).toHaveLength(nights.length);
    for (const [index, day] of nights.entries()) {
      const { cycle_id: cycle, sleep_id: sleepId, score, ...rest } = records[index];
      const night = day.sleeps[0]!;
      expect(Date.parse((await get(person, `/activity/sleep/${sleepId}`)).end)).toBe(night.end);
      expect(await get(person, `/cycle/${cycle}/recovery`)).toEqual(records[index]);
      expect(rest).not.toHaveProperty('id');
      expect(score).toMatchObject({
        user_calibrating: false,
        resting_heart_rate: day.restingHeartRate,
        hrv_rmssd_milli: day.hrvRmssd,
      });
      expect(score.recovery_score).toBeGreaterThan(0);
      expect(score.recovery_score).toBeLessThanOrEqual(100);
      if ('spo2_percentage' in score || 'skin_temp_celsius' in score)
        expect(score).toMatchObject({
          spo2_percentage: night.bloodOxygenPercent,
          skin_temp_celsius: night.skinTemperatureC,
        });
    }
  });

  test('returns workouts with kilojoules, meters and five zones plus zone zero', async () => {
    const { records } = await get(
      person,
      '/activity/workout?limit=25&start=2026-03-01T00:00:00Z&end=2026-04-12T00:00:00Z',
    );
    const names: Record<string, string> = { strength: 'weightlifting' };
    let scored = 0;
    for (const record of records) {
      const workout = lab
        .truth(person, new Date(record.start).toISOString().slice(0, 10))
        .workouts.concat(
          lab.truth(person, new Date(Date.parse(record.start) + 86_400_000).toISOString().slice(0, 10))
            .workouts,
          lab.truth(person, new Date(Date.parse(record.start) - 86_400_000).toISOString().slice(0, 10))
            .workouts,
        )
        .find(({ start }) => start === Date.parse(record.start))!;
      expect(record).toMatchObject({
        end: new Date(workout.end).toISOString(),
        sport_name: names[workout.sport] ?? workout.sport,
        timezone_offset: expect.stringMatching(/^(Z|[+-]\d\d:\d\d)$/),
      });
      expect(record).not.toHaveProperty('sport_id');
      expect(await get(person, `/activity/workout/${record.id}`)).toEqual(record);
      if (record.score_state === 'UNSCORABLE') {
        expect(record).not.toHaveProperty('score');
        continue;
      }
      scored += 1;
      const { zone_durations: zones, kilojoule, strain, ...rest } = record.score;
      expect(rest).toEqual({
        average_heart_rate: workout.averageHeartRate,
        max_heart_rate: workout.maxHeartRate,
        ...(workout.distanceM !== null && { distance_meter: workout.distanceM }),
        ...(workout.elevationGainM !== null && { altitude_gain_meter: workout.elevationGainM }),
      });
      expect(kilojoule).toBeCloseTo(workout.activeKcal * 4.184, 6);
      expect(strain).toBeGreaterThan(0);
      const { zone_zero_milli: zero, ...others } = zones;
      expect(others).toEqual({
        zone_one_milli: workout.zoneSeconds[0] * 1000,
        zone_two_milli: workout.zoneSeconds[1] * 1000,
        zone_three_milli: workout.zoneSeconds[2] * 1000,
        zone_four_milli: workout.zoneSeconds[3] * 1000,
        zone_five_milli: workout.zoneSeconds[4] * 1000,
      });
      const all = workout.zoneSeconds.reduce((sum, seconds) => sum + seconds, 0) * 1000;
      expect(zero).toBe(Math.max(0, workout.end - workout.start - all));
    }
    expect(scored).toBeGreaterThan(2);
  });

  test('returns profile and body', async () => {
    const {
      user_id: id,
      email,
      first_name: first,
      last_name: last,
    } = await get(person, '/user/profile/basic');
    expect(id).toBe(Number(lab.grants('whoop').find(({ personId }) => personId === person)?.userId));
    expect(email).toBe(`${person}@lab.example`);
    expect([first.toLowerCase(), last]).toEqual([person, expect.stringMatching(/^\w+$/)]);
    const body = await get(person, '/user/measurement/body');
    const weights = Array.from(
      { length: 60 },
      (_, back) =>
        lab.truth(person, new Date(lab.clock.now() - back * 86_400_000).toISOString().slice(0, 10)).body,
    ).find((scale) => scale && scale.at <= lab.clock.now());
    expect(body.weight_kilogram).toBe(weights?.weightKg);
    expect(body.height_meter).toBe(personOf(person, 1)?.heightM);
    expect(body.max_heart_rate).toBeGreaterThan(body.weight_kilogram);
  });
});

test('returns no oxygen without the sensor, and no stream after the membership lapsed', async () => {
  const observations = { sensors: new Set<boolean>(), streams: new Set<number>() };
  for (
    let number = 1;
    number <= 30 && observations.sensors.size + observations.streams.size < 4;
    number += 1
  ) {
    const someone = await connect(lab, endpoints, `person-${number}`, policy.scopes);
    await lab.clock.advance(60_000);
    const { body } = await someone.get(`${base}/recovery?limit=1`);
    observations.sensors.add('spo2_percentage' in body.records[0].score);
    const sleep = lab.truth(`person-${number}`, body.records[0].created_at.slice(0, 10)).sleeps[0]!;
    const stream = await someone.get(
      `${base}/activity/sleep/${body.records[0].sleep_id}/stream?types=hr,skin_temp`,
    );
    observations.streams.add(stream.status);
    if (stream.status === 403) expect(stream.body.error).toBe('deactivated_user');
    else if (stream.body.stream[0].timestamp === new Date(sleep.start).toISOString())
      expect(stream.body.stream.slice(0, 3)).toEqual(
        sleep.heartRate.slice(0, 3).map(({ at, value }) => ({
          timestamp: new Date(at).toISOString(),
          hr: value,
          skin_temp: sleep.skinTemperatureC,
        })),
      );
  }
  expect(observations.sensors).toEqual(new Set([true, false]));
  expect(observations.streams).toEqual(new Set([200, 403]));
}, 20_000);
