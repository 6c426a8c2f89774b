import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lab } from '../../lab-type.ts';
import type { Sample, Stage } from '../../world/people/day.ts';
import { call, connect, startWithings } from './test-client.ts';

let lab: Lab;
let token: string;
beforeAll(async () => {
  lab = await startWithings();
  ({ token } = await connect(lab, 'ada'));
});
afterAll(() => lab[Symbol.asyncDispose]());

const range = { startdateymd: '2026-04-20', enddateymd: '2026-04-26' };
const dates = ['20', '21', '22', '23', '24', '25', '26'].map((day) => `2026-04-${day}`);
const values = (samples: Sample[]) => samples.map(({ value }) => value);
const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;

describe('days', () => {
  const named =
    'steps,distance,elevation,soft,moderate,intense,active,calories,totalcalories,hr_average,hr_min,hr_max';

  it('match the ground truth in meters, seconds and kilocalories', async () => {
    const { body } = await call(
      lab,
      '/v2/measure',
      { action: 'getactivity', ...range, data_fields: named },
      token,
    );
    expect(body.activities.map((one: { date: string }) => one.date)).toEqual(dates);
    for (const activity of body.activities) {
      const truth = lab.truth('ada', activity.date);
      expect(activity).toMatchObject({
        timezone: 'Europe/Berlin',
        steps: truth.steps,
        distance: truth.distanceM,
        elevation: truth.floors,
        soft: truth.activeSeconds.low,
        moderate: truth.activeSeconds.medium,
        intense: truth.activeSeconds.high,
        active: truth.activeSeconds.medium + truth.activeSeconds.high,
        calories: truth.activeKcal,
        totalcalories: truth.activeKcal + truth.basalKcal,
        hr_average: Math.round(mean(values(truth.heartRate))),
        hr_min: Math.min(...values(truth.heartRate)),
        hr_max: Math.max(...values(truth.heartRate)),
      });
    }
  });

  it('omit values that were not requested by name', async () => {
    const { body } = await call(lab, '/v2/measure', { action: 'getactivity', ...range }, token);
    for (const activity of body.activities) {
      expect(activity).toHaveProperty('modified');
      expect(activity).not.toHaveProperty('steps');
    }
    const one = await call(
      lab,
      '/v2/measure',
      { action: 'getactivity', ...range, data_fields: 'steps' },
      token,
    );
    expect(one.body.activities[0].steps).toBe(lab.truth('ada', '2026-04-20').steps);
    expect(one.body.activities[0]).not.toHaveProperty('distance');
  });

  it('are sometimes echoed from a phone, without a device', async () => {
    const { body } = await call(lab, '/v2/measure', { action: 'getactivity', lastupdate: 0 }, token);
    const echoed = body.activities.filter((one: { brand: number }) => one.brand === 18);
    expect(echoed.length).toBeGreaterThan(0);
    expect(echoed.length).toBeLessThan(body.activities.length / 2);
    for (const one of echoed) {
      expect(one.is_tracker).toBe(false);
      expect(one).not.toHaveProperty('deviceid');
    }
  });

  it('are returned page by page, each once', async () => {
    const seen: string[] = [];
    let offset: number | undefined;
    let pages = 0;
    do {
      const fields = { action: 'getactivity', lastupdate: 0, ...(offset !== undefined && { offset }) };
      const { body } = await call(lab, '/v2/measure', fields, token);
      seen.push(...body.activities.map((one: { date: string }) => one.date));
      offset = body.more ? body.offset : undefined;
      pages += 1;
    } while (offset !== undefined);
    expect(pages).toBe(2);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual([...seen].sort());
    expect(seen.at(-1)).toBe('2026-05-03');
    expect(seen.length).toBeGreaterThanOrEqual(179);
  });

  it('since an update are those that became visible after it', async () => {
    const since = Date.parse('2026-05-01T22:00:00Z') / 1000;
    const { body } = await call(lab, '/v2/measure', { action: 'getactivity', lastupdate: since }, token);
    expect(body.activities.map((one: { date: string }) => one.date)).toEqual([
      '2026-05-01',
      '2026-05-02',
      '2026-05-03',
    ]);
    for (const one of body.activities) expect(one.modified).toBeGreaterThanOrEqual(since);
  });
});

describe('intraday data', () => {
  it('adds up to the day and keeps each rate', async () => {
    const truth = lab.truth('ada', '2026-04-22');
    const fields = { startdate: truth.start / 1000, enddate: truth.end / 1000 + 86_400 };
    const data_fields = 'steps,distance,calories,heart_rate,rmssd';
    const { body } = await call(
      lab,
      '/v2/measure',
      { action: 'getintradayactivity', ...fields, data_fields },
      token,
    );
    const series = Object.entries(body.series as Record<string, Record<string, number>>);
    const sum = (name: string) => series.reduce((total, [, one]) => total + (one[name] ?? 0), 0);
    // The response silently omits the second requested day.
    expect(Math.max(...series.map(([epoch]) => Number(epoch)))).toBeLessThan(truth.end / 1000);
    expect([sum('steps'), sum('distance'), sum('calories')]).toEqual([
      truth.steps,
      truth.distanceM,
      truth.activeKcal,
    ]);
    const rates = series.flatMap(([epoch, one]) =>
      one['heart_rate'] === undefined ? [] : [[Number(epoch), one['heart_rate']]],
    );
    expect(rates).toEqual(truth.heartRate.map(({ at, value }) => [at / 1000, Math.round(value)]));
  });

  it('is an empty list instead of an empty map if there is no data', async () => {
    const fields = { action: 'getintradayactivity', startdate: 1, enddate: 2, data_fields: 'steps' };
    expect((await call(lab, '/v2/measure', fields, token)).body).toEqual({ series: [] });
    expect((await call(lab, '/v2/measure', { ...fields, startdate: 'yesterday' }, token)).status).toBe(503);
  });
});

it('returns workouts that match the ground truth in four zones', async () => {
  const categories = { walking: 1, running: 2, cycling: 6, swimming: 7, strength: 16, yoga: 28 };
  const data_fields =
    'calories,distance,elevation,hr_average,hr_min,hr_max,hr_zone_0,hr_zone_1,hr_zone_2,hr_zone_3';
  const fields = { action: 'getworkouts', startdateymd: '2026-03-01', enddateymd: '2026-04-26', data_fields };
  const { body } = await call(lab, '/v2/measure', fields, token);
  expect(body.series.length).toBeGreaterThan(10);
  for (const workout of body.series) {
    const truth = lab
      .truth('ada', workout.date)
      .workouts.find((one) => one.start / 1000 === workout.startdate)!;
    const [one, two, three, four, five] = truth.zoneSeconds;
    expect(workout).toMatchObject({
      category: categories[truth.sport],
      enddate: truth.end / 1000,
      timezone: 'Europe/Berlin',
      attrib: 0,
    });
    expect(workout.data).toEqual({
      calories: truth.activeKcal,
      ...(truth.distanceM !== null && { distance: truth.distanceM }),
      ...(truth.elevationGainM !== null && { elevation: Math.round(truth.elevationGainM / 3) }),
      hr_average: truth.averageHeartRate,
      hr_min: Math.min(...values(truth.heartRate)),
      hr_max: truth.maxHeartRate,
      hr_zone_0: one,
      hr_zone_1: two,
      hr_zone_2: three,
      hr_zone_3: four + five,
    });
  }
  expect(new Set(body.series.map((workout: { id: number }) => workout.id)).size).toBe(body.series.length);
});

describe('sleep', () => {
  const names = [
    'total_timeinbed,total_sleep_time,asleepduration,lightsleepduration,deepsleepduration,remsleepduration,wakeupduration',
    'sleep_latency,wakeup_latency,waso,sleep_efficiency,hr_average,hr_min,hr_max,rr_average,wakeupcount',
  ].join(',');

  it('matches the ground truth in seconds, with efficiency from 0 to 1', async () => {
    const { body } = await call(
      lab,
      '/v2/sleep',
      { action: 'getsummary', ...range, data_fields: names },
      token,
    );
    expect(body.series.length).toBeGreaterThanOrEqual(7);
    for (const sleep of body.series) {
      const truth = lab.truth('ada', sleep.date).sleeps.find((one) => one.start / 1000 === sleep.startdate)!;
      const lasted = (stage: Stage) =>
        truth.stages
          .filter((one) => one.stage === stage)
          .reduce((sum, { start, end }) => sum + (end - start) / 1000, 0);
      const inBed = (truth.end - truth.start) / 1000;
      const asleep = inBed - lasted('awake');
      const [first, last] = [truth.stages[0]!, truth.stages.at(-1)!];
      const latency = (first.end - first.start) / 1000;
      const closing = last.stage === 'awake' ? (last.end - last.start) / 1000 : 0;
      expect(sleep).toMatchObject({ enddate: truth.end / 1000, completed: true, timezone: 'Europe/Berlin' });
      expect(sleep.data).toEqual({
        total_timeinbed: inBed,
        total_sleep_time: asleep,
        asleepduration: asleep,
        lightsleepduration: lasted('light'),
        deepsleepduration: lasted('deep'),
        remsleepduration: lasted('rem'),
        wakeupduration: lasted('awake'),
        sleep_latency: latency,
        wakeup_latency: closing,
        waso: lasted('awake') - latency - closing,
        sleep_efficiency: Math.round((100 * asleep) / inBed) / 100,
        hr_average: truth.averageHeartRate,
        hr_min: truth.lowestHeartRate,
        hr_max: Math.max(...values(truth.heartRate)),
        rr_average: Math.round(truth.respiratoryRate),
        wakeupcount: truth.disturbances,
      });
    }
  });

  it('is silently cut off after seven days', async () => {
    const fields = { action: 'getsummary', startdateymd: '2026-04-01', enddateymd: '2026-04-30' };
    const { body } = await call(lab, '/v2/sleep', fields, token);
    expect(body.series.at(-1).date).toBe('2026-04-07');
    expect(body.more).toBe(false);
  });

  it('contains its stages with the requested samples', async () => {
    const truth = lab.truth('ada', '2026-04-22').sleeps.find((one) => one.isMain)!;
    const fields = {
      action: 'get',
      startdate: truth.start / 1000,
      enddate: truth.end / 1000,
      data_fields: 'hr,rmssd',
    };
    const { body } = await call(lab, '/v2/sleep', fields, token);
    const states = { awake: 0, light: 1, deep: 2, rem: 3 };
    expect(
      body.series.map(({ startdate, enddate, state }: Record<string, number>) => [startdate, enddate, state]),
    ).toEqual(truth.stages.map(({ start, end, stage }) => [start / 1000, end / 1000, states[stage]]));
    const merged = (name: string) =>
      Object.entries(
        Object.assign({}, ...body.series.map((one: Record<string, object>) => one[name])) as Record<
          string,
          number
        >,
      );
    const expected = (samples: Sample[]) =>
      samples.map(({ at, value }) => [String(at / 1000), Math.round(value)]);
    expect(merged('hr')).toEqual(expected(truth.heartRate));
    expect(merged('rmssd')).toEqual(expected(truth.hrv));
    expect(body.series[0]).not.toHaveProperty('rr');
  });

  it('is an empty map instead of an empty list if there is no data', async () => {
    const { body } = await call(lab, '/v2/sleep', { action: 'get', startdate: 1, enddate: 2 }, token);
    expect(body).toEqual({ series: {} });
  });
});
