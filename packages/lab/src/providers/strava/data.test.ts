import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lab } from '../../lab-type.ts';
import type { Workout } from '../../world/people/day.ts';
import { datesBetween } from '../../world/people/local-time.ts';
import { personOf } from '../../world/people/people.ts';
import type { Json } from '../../test/connect-person.ts';
import { connect, startStrava, type Athlete } from './test-client.ts';

// Three zones: one changes its clocks within the range, and one is not a whole hour from UTC.
const people: Record<string, string> = {
  ada: 'Europe/Berlin',
  ben: 'America/New_York',
  gita: 'Asia/Kathmandu',
};
const winter: Record<string, string> = { ada: '+01:00', ben: '-05:00', gita: '+05:45' };
const types: Record<Workout['sport'], [sportType: RegExp, type: RegExp]> = {
  running: [/^Run$/, /^Run$/],
  cycling: [/^(Ride|VirtualRide)$/, /^(Ride|VirtualRide)$/],
  swimming: [/^Swim$/, /^Swim$/],
  walking: [/^Walk$/, /^Walk$/],
  strength: [/^WeightTraining$/, /^WeightTraining$/],
  yoga: [/^Yoga$/, /^Yoga$/],
};
const after = Date.parse('2026-01-10T00:00:00Z');
let lab: Lab;
const athletes = new Map<string, Athlete>();

beforeAll(async () => {
  lab = await startStrava();
  for (const person of Object.keys(people)) athletes.set(person, await connect(lab, person));
});
afterAll(() => lab[Symbol.asyncDispose]());

/** Starts a new window, because other tests use up the calls of the current one. */
async function request(person: string, path: string): Promise<{ status: number; body: Json }> {
  const response = await athletes.get(person)!.get(path);
  if (response.status !== 429) return response;
  await lab.clock.advance(900_000);
  return request(person, path);
}
async function get(person: string, path: string): Promise<Json> {
  const { status, body } = await request(person, path);
  expect(status, path).toBe(200);
  return body;
}
/** In chronological order, including activities with a hidden start. */
async function activitiesOf(person: string): Promise<Json[]> {
  const activities: Json[] = await get(person, `/athlete/activities?after=${after / 1000}&per_page=200`);
  return activities.toSorted((one, other) => one.id - other.id);
}
const workoutsOf = (person: string): Workout[] =>
  datesBetween(personOf(person, 1)!, after, lab.clock.now())
    .flatMap((date) => lab.truth(person, date).workouts)
    .filter(({ start, end }) => start > after && end < lab.clock.now() - 1_200_000);

describe.each(Object.keys(people))('%s', (person) => {
  test('reports every workout in meters and seconds, at its time and in local time', async () => {
    const [activities, truths] = [await activitiesOf(person), workoutsOf(person)];
    expect(activities).toHaveLength(truths.length);
    expect(activities.length).toBeGreaterThan(20);
    for (const [index, workout] of truths.entries()) {
      const one = activities[index]!;
      const localTime = new Intl.DateTimeFormat('sv-SE', {
        timeZone: people[person]!,
        dateStyle: 'short',
        timeStyle: 'medium',
      }).format(workout.start);
      const local = `${localTime.replace(' ', 'T')}Z`;
      const isHidden = one.start_date_local.endsWith('T00:00:01Z');
      const offset = (Date.parse(local) - workout.start) / 1000;
      expect(one).toMatchObject({
        name: expect.stringMatching(/^(Morning|Evening) /),
        sport_type: expect.stringMatching(types[workout.sport][0]),
        type: expect.stringMatching(types[workout.sport][1]),
        start_date_local: isHidden ? `${local.slice(0, 10)}T00:00:01Z` : local,
        timezone: `(GMT${winter[person]}) ${people[person]}`,
        utc_offset: offset,
        elapsed_time: (workout.end - workout.start) / 1000,
        distance: workout.distanceM ?? 0,
        total_elevation_gain: workout.elevationGainM ?? 0,
        has_heartrate: !one.manual,
      });
      if (!isHidden) expect(Date.parse(one.start_date)).toBe(workout.start);
      expect(Date.parse(one.start_date)).toBe(Date.parse(one.start_date_local) - offset * 1000);
      expect([one.average_heartrate, one.max_heartrate]).toEqual(
        one.manual ? [undefined, undefined] : [workout.averageHeartRate, workout.maxHeartRate],
      );
      expect(one.moving_time).toBeLessThanOrEqual(one.elapsed_time);
      expect(one.average_speed).toBeCloseTo(one.distance / one.moving_time, 3);
      if (workout.sport === 'cycling' && !one.manual)
        expect(one.kilojoules).toBeCloseTo((one.average_watts * one.moving_time) / 1000, 6);
      else expect(one).not.toHaveProperty('kilojoules');
      if ('elev_high' in one) expect(one.elev_high - one.elev_low).toBe(workout.elevationGainM);
      expect(one).not.toHaveProperty('calories');
      expect(one.id).toBeGreaterThan(2 ** 32);
    }
    expect(new Set(activities.map(({ id }) => id)).size).toBe(activities.length);
  });

  test('returns calories, zones and streams for a single activity', async () => {
    const [activities, truths] = [await activitiesOf(person), workoutsOf(person)];
    for (const [index, workout] of truths.slice(0, 12).entries()) {
      const { id, manual, elev_low: low } = activities[index]!;
      expect(await get(person, `/activities/${id}`)).toEqual({
        ...activities[index],
        calories: workout.activeKcal,
      });
      const zones = await get(person, `/activities/${id}/zones`);
      const keys = 'keys=time,heartrate,distance,altitude,velocity_smooth,cadence,watts&key_by_type=true';
      if (manual) {
        expect(zones).toEqual([]);
        expect((await request(person, `/activities/${id}/streams?${keys}`)).status).toBe(404);
        continue;
      }
      expect(zones).toHaveLength(1);
      expect(zones[0].type).toBe('heartrate');
      const buckets: Json[] = zones[0].distribution_buckets;
      expect(buckets.map(({ time }) => time)).toEqual(workout.zoneSeconds);
      expect(buckets.slice(1).map(({ min }) => min)).toEqual(buckets.slice(0, 4).map(({ max }) => max));
      const streams = await get(person, `/activities/${id}/streams?${keys}`);
      expect(streams.time.data).toEqual(workout.heartRate.map(({ at }) => (at - workout.start) / 1000));
      expect(streams.heartrate.data).toEqual(workout.heartRate.map(({ value }) => value));
      expect(streams.distance?.data.at(-1)).toBe(workout.distanceM ?? undefined);
      expect('altitude' in streams).toBe(workout.elevationGainM !== null);
      if (streams.altitude) expect(Math.min(...streams.altitude.data)).toBe(low);
      expect('watts' in streams).toBe(workout.sport === 'cycling');
      const listed: Json[] = await get(person, `/activities/${id}/streams?keys=heartrate,time`);
      expect(listed.map(({ type }) => type)).toEqual(['heartrate', 'time']);
      expect(listed[0]).toMatchObject({
        data: streams.heartrate.data,
        original_size: workout.heartRate.length,
      });
    }
  });
});

test('includes hidden starts, manual and private activities, and indoor rides', async () => {
  const all = (await Promise.all(Object.keys(people).map(activitiesOf))).flat();
  expect(all.some((one) => one.start_date_local.endsWith('T00:00:01Z'))).toBe(true);
  for (const name of ['manual', 'private', 'trainer'])
    expect(new Set(all.map((one) => one[name])), name).toEqual(new Set([true, false]));
  for (const one of all) expect(one.trainer).toBe(one.sport_type === 'VirtualRide');
});
