import { expect, test } from 'vitest';
import { startLab, type StartLabOptions } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import type { Sample } from '../../world/people/day.ts';
import { datesBetween } from '../../world/people/local-time.ts';
import { personOf } from '../../world/people/people.ts';
import { connect, type Connection, type Json } from '../../test/connect-person.ts';
import { trendOf, valueOf } from './egv.ts';
import { dexcom } from './index.ts';
import { policy } from './policy.ts';

const endpoints = { authorize: '/dexcom/v2/oauth2/login', token: '/dexcom/v2/oauth2/token' };
const base = '/dexcom/v3/users/self';
const startAt = Date.parse('2026-04-20T12:00:00Z');
const hour = 3_600_000;
const start = (options: StartLabOptions = {}) => startLab({ providers: [dexcom], startAt, ...options });
const connectTo = (lab: Lab, person: string) => connect(lab, endpoints, person, policy.scopes);
const text = (ms: number): string => new Date(ms).toISOString().slice(0, 19);
const read = async (who: Connection, kind: string, from: number, to: number): Promise<Json[]> => {
  const { status, body } = await who.get(`${base}/${kind}?startDate=${text(from)}&endDate=${text(to)}`);
  expect(status).toBe(200);
  return body.records;
};
/** The time of a system timestamp, which is UTC with or without a suffix. */
const momentOf = ({ systemTime }: Json): number => Date.parse(`${systemTime.slice(0, 16)}:00Z`);
const truthOf = (lab: Lab, person: string, from: number, to: number): Sample[] =>
  datesBetween(personOf(person, 1)!, from, to)
    .flatMap((date) => lab.truth(person, date).glucose)
    .filter(({ at }) => at >= from && at < to);

const zones: Record<string, string> = { ben: 'America/New_York', finn: 'Asia/Kolkata' };
const units: Record<string, [unit: string, mgIn: number]> = { ben: ['mg/dL', 1], finn: ['mmol/L', 18.018] };

test.each(Object.keys(zones))('%s: lists each reading of twelve days once, in its unit', async (person) => {
  await using lab = await start();
  const who = await connectTo(lab, person);
  // Daylight saving time begins in New York within this range.
  const [from, to] = [Date.parse('2026-03-02T05:00:00Z'), Date.parse('2026-03-14T05:00:00Z')];
  const { body } = await who.get(`${base}/egvs?startDate=${text(from)}&endDate=${text(to)}`);
  expect(body).toMatchObject({ recordType: 'egv', recordVersion: '3.0' });
  const readings: Json[] = body.records.toReversed();
  const truth = truthOf(lab, person, from, to);
  expect(readings.map(momentOf)).toEqual(truth.map(({ at }) => at));
  const [unit, mgIn] = units[person]!;
  const values = truth.map(({ value }) => value / mgIn);
  expect(readings.map(({ value }) => value)).toEqual(
    values.map((value) => (mgIn === 1 ? value : Math.round(value * 10) / 10)),
  );
  const rate = (index: number): number => (truth[index]!.value - truth[index - 1]!.value) / 5 / mgIn;
  for (const index of readings.keys()) {
    expect(readings[index]).toMatchObject({ unit, status: 'ok', rateUnit: `${unit}/min` });
    if (index > 0) expect(Math.abs(readings[index].trendRate - rate(index))).toBeLessThan(0.001);
  }
  expect(new Set(readings.map(({ recordId }) => recordId)).size).toBe(readings.length);
  const again = await read(who, 'egvs', from, to);
  expect(again).toEqual(body.records);

  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zones[person]!,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const forms = new Set<string>();
  for (const one of readings) {
    const { systemTime, displayTime, displayDevice } = one;
    const localTime = format.format(momentOf(one)).replace(' ', 'T');
    const length = /T\d\d:\d\d:/.test(systemTime) ? 19 : 16;
    expect(displayTime.slice(0, length)).toBe(localTime.slice(0, length));
    const isPhone = displayDevice !== 'receiver';
    expect(systemTime.slice(length)).toBe(isPhone ? 'Z' : '');
    if (isPhone) expect(Date.parse(displayTime)).toBe(momentOf(one));
    else expect(displayTime).toHaveLength(length);
    forms.add(`${isPhone} ${length}`);
  }
  expect(forms.size).toBeGreaterThanOrEqual(2);
});

test('replaces a sensor after ten days and counts ticks from its start', async () => {
  await using lab = await start();
  const ben = await connectTo(lab, 'ben');
  const [from, to] = [startAt - 24 * 24 * hour, startAt - 2 * 24 * hour];
  const readings = await read(ben, 'egvs', from, to);
  const starts = new Map<string, Set<number>>();
  for (const one of readings) {
    const known = starts.get(one.transmitterId) ?? new Set();
    starts.set(one.transmitterId, known.add(momentOf(one) - one.transmitterTicks * 1000));
  }
  const ticks: number[] = readings.map(({ transmitterTicks }) => transmitterTicks);
  expect(Math.min(...ticks)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...ticks)).toBeLessThan(10 * 86_400 + 3600);
  expect([3, 4]).toContain(starts.size);
  for (const known of starts.values()) expect(known.size).toBe(1);
  const devices = await read(ben, 'devices', from, to);
  expect(devices.map(({ transmitterId: id }) => id)).toEqual([...starts.keys()]);
  for (const device of devices)
    expect(readings.find(({ transmitterId: id }) => id === device.transmitterId)).toMatchObject(device);
});

test('reports iOS, Android and receivers as devices, with and without seconds', async () => {
  await using lab = await start();
  const combinations = new Set<string>();
  for (let number = 1; number <= 60 && combinations.size < 6; number += 1) {
    if (!personOf(`person-${number}`, 1)?.wearsGlucoseSensor) continue;
    const who = await connectTo(lab, `person-${number}`);
    for (const { displayDevice, systemTime } of await read(who, 'egvs', startAt - 300 * hour, startAt))
      combinations.add(`${displayDevice} ${/:\d\d:/.test(systemTime) ? 'long' : 'short'}`);
  }
  const devices = ['iOS', 'android', 'receiver'];
  expect(combinations).toEqual(new Set(devices.flatMap((device) => [`${device} long`, `${device} short`])));
});

test.each([
  ['ben', 1],
  ['finn', 3],
])('delays readings of %s by about %i h and fills gaps within two days', async (person, hours) => {
  await using lab = await start();
  const who = await connectTo(lab, person);
  const from = startAt - 12 * 24 * hour;
  const first = (await read(who, 'egvs', from, startAt)).map(momentOf);
  expect(startAt - first[0]!).toBeGreaterThan((hours - 0.25) * hour);
  expect(startAt - first[0]!).toBeLessThan((hours + 0.6) * hour);
  const isMissing = (known: number[], since: number, to: number): boolean => {
    const moments = new Set(known);
    return truthOf(lab, person, since, to).some(({ at }) => !moments.has(at));
  };
  expect(isMissing(first, from, startAt - 48 * hour)).toBe(false);

  // When polled daily for a month, some of yesterday's data is always missing at some point.
  let gaps = 0;
  for (let day = 0; day < 12; day += 1) {
    await lab.clock.advance(24 * hour);
    const now = lab.clock.now();
    const again = await connectTo(lab, person);
    const known = (await read(again, 'egvs', now - 24 * hour, now)).map(momentOf);
    if (isMissing(known, now - 24 * hour, now - (hours + 1) * hour)) gaps += 1;
  }
  expect(gaps).toBeGreaterThan(0);
});

test('keeps the id of a revised reading and changes its value', async () => {
  await using lab = await start({ faults: [{ kind: 'revised', rate: 1 }] });
  const before = await read(await connectTo(lab, 'ben'), 'egvs', startAt - 6 * hour, startAt - 2 * hour);
  await lab.clock.advance(9 * 24 * hour);
  const after = await read(await connectTo(lab, 'ben'), 'egvs', startAt - 6 * hour, startAt - 2 * hour);
  expect(after.map(({ recordId }) => recordId)).toEqual(before.map(({ recordId }) => recordId));
  for (const [index, { value }] of after.entries()) expect(value).toBeGreaterThan(before[index].value);
});

test("clamps values to the sensor's limits of 40 and 400", () => {
  expect([39, 40, 400, 401].map((value) => valueOf(value, 'mg/dL'))).toEqual([
    { value: 40, unit: 'mg/dL', status: 'low' },
    { value: 40, unit: 'mg/dL', status: 'ok' },
    { value: 400, unit: 'mg/dL', status: 'ok' },
    { value: 400, unit: 'mg/dL', status: 'high' },
  ]);
  expect(valueOf(20, 'mmol/L')).toEqual({ value: 2.2, unit: 'mmol/L', status: 'low' });
});

test('maps the slope to a trend', () => {
  const wordsOf = (changes: number[]) =>
    changes.map((change) => {
      const before = { at: 0, value: 100 };
      return trendOf({ at: 300_000, value: 100 + change, before }, 'mg/dL')['trend'];
    });
  expect(wordsOf([0, 4, 5, 10, 15, 41])).toEqual([
    'flat',
    'flat',
    'fortyFiveUp',
    'singleUp',
    'doubleUp',
    'rateOutOfRange',
  ]);
  expect(wordsOf([-5, -10, -15])).toEqual(['fortyFiveDown', 'singleDown', 'doubleDown']);
  expect(trendOf({ at: 0, value: 100, before: null }, 'mg/dL')).toMatchObject({
    trend: 'none',
    trendRate: null,
  });
});
