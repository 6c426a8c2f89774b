import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Day } from '@tributary/lab';
import { expect, test, vi } from 'vitest';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import type { PushState, Span, UserApi } from '../provider.ts';
import { appInLab, connectInLab, openAppApi, openUserApi, readAll, startTestLab } from '../test/lab-api.ts';
import { polar } from './index.ts';

// A lab takes a while on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const dayMs = 86_400_000;
const streamOf = (name: string) => polar.streams.find((one) => one.name === name)!;
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** The data of all streams together for a span. */
async function readAndMapAll(api: UserApi, span: Span): Promise<BatchBuilder['lists']> {
  const batch = new BatchBuilder();
  for (const { name, map } of polar.streams) map(await readAll(polar, name, api, span), batch);
  return batch.lists;
}

test.each([
  // Clocks go back at night, forward at midnight, or never change. One user travels far.
  { person: 'ada', around: '2026-10-25' },
  { person: 'hana', around: '2026-09-06' },
  { person: 'gita', around: '2026-11-11' },
  { person: 'dara', around: '2026-11-08' },
])('$person matches the ground truth around $around', async ({ person, around }) => {
  const middle = Date.parse(around);
  await using lab = await startTestLab({ startAt: middle - 4 * dayMs });
  const api = await connectInLab(lab, polar, person);
  await lab.clock.moveTo(middle + 5 * dayMs);
  const lists = await readAndMapAll(api, { fromMs: middle - 3 * dayMs, toMs: middle + 4 * dayMs });
  for (let offset = -1; offset <= 1; offset += 1) {
    const date = new Date(middle + offset * dayMs).toISOString().slice(0, 10);
    const truth = lab.truth(person, date);
    const ofDate = (metric: string): number | undefined =>
      lists.daily.find((one) => one.date === date && one.metric === metric)?.value;
    expect(ofDate('steps')).toBe(truth.steps);
    expect(ofDate('distance')).toBeCloseTo(truth.distanceM / 1000, 6);
    expect(ofDate('active_calories')).toBe(truth.activeKcal);
    expect(ofDate('total_energy')).toBe(truth.activeKcal + truth.basalKcal);
    const { low, medium, high } = truth.activeSeconds;
    expect(ofDate('active_time')).toBeCloseTo((low + medium + high) / 60, 1);
    expect(ofDate('sedentary_time')).toBeCloseTo(truth.sedentarySeconds / 60, 1);
    expectNight(lists, truth, ofDate);
    expectWorkouts(lists, truth);
    expectPulse(lists, truth);
  }
});

function expectNight(
  { sleep }: BatchBuilder['lists'],
  { date, sleeps, temperatureDeviationC }: Day,
  ofDate: (metric: string) => number | undefined,
): void {
  const night = sleeps.find(({ isMain }) => isMain)!;
  const matches = sleep.filter(({ id }) => id === date);
  expect(matches).toHaveLength(1);
  const { start, end, minutes, stages = [] } = matches[0]!;
  expect([Date.parse(start), Date.parse(end)]).toEqual([night.start, night.end]);
  const minutesIn = (...names: string[]): number =>
    sum(night.stages.filter(({ stage }) => names.includes(stage)).map((one) => one.end - one.start)) / 60_000;
  expect(minutes!.asleep).toBeCloseTo(minutesIn('light', 'deep', 'rem'), 6);
  expect(minutes!.rem).toBeCloseTo(minutesIn('rem'), 6);
  expect(minutes!.awake).toBeCloseTo(minutesIn('awake'), 6);
  expect(minutes!.in_bed).toBe((night.end - night.start) / 60_000);
  // Stages begin at whole minutes here, and some are lost in the repeated hour.
  expect(sum(stages.map((one) => Date.parse(one.end) - Date.parse(one.start)))).toBe(night.end - night.start);
  if (date !== '2026-10-25')
    expect(stages.map(({ stage, start: from }) => [stage, Date.parse(from)])).toEqual(
      night.stages.map(({ stage, start: from }) => [
        stage,
        Math.max(night.start, Math.floor(from / 60_000) * 60_000),
      ]),
    );
  expect(ofDate('sleep_respiratory_rate')).toBe(night.respiratoryRate);
  expect(ofDate('sleep_skin_temperature')).toBe(night.skinTemperatureC);
  expect(ofDate('sleep_temperature_deviation')).toBeCloseTo(temperatureDeviationC, 9);
  expect(ofDate('sleep_heart_rate')).toBeGreaterThan(30);
  expect(ofDate('device_readiness_score')).toBeGreaterThanOrEqual(1);
}

function expectWorkouts({ workouts }: BatchBuilder['lists'], truth: Day): void {
  for (const workout of truth.workouts) {
    const matches = workouts.filter(({ start }) => Date.parse(start) === workout.start);
    expect(matches).toHaveLength(1);
    expect(Date.parse(matches[0]!.end)).toBe(workout.end);
    expect(matches[0]!.values).toMatchObject({
      active_calories: workout.activeKcal,
      heart_rate_avg: workout.averageHeartRate,
      heart_rate_max: workout.maxHeartRate,
      ...(workout.distanceM !== null && { distance: workout.distanceM / 1000 }),
    });
    expect(matches[0]!.heart_rate!.values).toEqual(workout.heartRate.map(({ value }) => value));
    expect(matches[0]!.sport_type).not.toBe('OTHER');
  }
}

/** In the repeated hour, a time without an offset is ambiguous. */
function expectPulse({ series }: BatchBuilder['lists'], { date, heartRate }: Day): void {
  const beats = new Map(
    series
      .filter(({ metric }) => metric === 'heart_rate')
      .flatMap(({ start, offsets_seconds: offsets = [], values }) =>
        values.map((value, at): [number, number] => [Date.parse(start) + offsets[at]! * 1000, value]),
      ),
  );
  const right = heartRate.filter(({ at, value }) => beats.get(at) === value).length;
  expect(right).toBeGreaterThanOrEqual(heartRate.length - (date === '2026-10-25' ? 24 : 0));
}

test('reads activity back for a year in windows that Polar accepts, and the rest for four weeks', async () => {
  await using lab = await startTestLab();
  const api = await connectInLab(lab, polar);
  const year = { fromMs: lab.clock.now() - polar.historyDays * dayMs, toMs: lab.clock.now() };
  const days = await readAll(polar, 'activity', api, year);
  expect(days).toHaveLength(polar.historyDays + 1);
  for (const name of [
    'sleep',
    'nightly-recharge',
    'heart-rate',
    'cardio-load',
    'skin-temperature',
    'blood-oxygen',
  ])
    expect((await readAll(polar, name, api, year)).length, name).toBeGreaterThan(25);
  // Exercises before the registration are never available.
  expect(await readAll(polar, 'exercises', api, year)).toEqual([]);
  const requests = lab.counts('polar').requests;
  const longAgo = { fromMs: year.fromMs, toMs: year.fromMs + 20 * dayMs };
  for (const { name } of polar.streams)
    if (name !== 'activity') expect(await readAll(polar, name, api, longAgo)).toEqual([]);
  expect(lab.counts('polar').requests).toBe(requests);
});

test('maps the current body data', async () => {
  await using lab = await startTestLab();
  const api = await connectInLab(lab, polar);
  const batch = new BatchBuilder();
  const span = { fromMs: lab.clock.now() - dayMs, toMs: lab.clock.now() };
  streamOf('physical-info').map(await readAll(polar, 'physical-info', api, span), batch);
  expect(batch.lists.records.map(({ metric }) => metric)).toEqual(['weight', 'height', 'vo2_max']);
  const weighed = Array.from({ length: 30 }, (_, back) => lab.clock.now() - back * dayMs)
    .map((ms) => lab.truth('ada', new Date(ms).toISOString().slice(0, 10)).body)
    .find((body) => body !== null && body.at < lab.clock.now() - 1_800_000)!;
  expect(batch.lists.records[0]!.value).toBeCloseTo(weighed.weightKg, 6);
});

test('registers a user once, and finds them again when they return', async () => {
  await using lab = await startTestLab();
  const api = await connectInLab(lab, polar);
  expect(api.userId).toBe(lab.grants('polar')[0]!.userId);
  expect(polar.oauth.refresh).toBeNull();
  expect(api.tokens.expiresAtMs! - lab.clock.now()).toBeGreaterThan(9 * 365 * dayMs);
  const again = await connectInLab(lab, polar);
  expect(again.userId).toBe(api.userId);
  // A member id of another user registers unknown.
  const ours = { memberId: 'member-ada', pushUrl: '' };
  const { tokens } = await connectInLab(
    lab,
    { ...polar, oauth: { ...polar.oauth, enroll: async () => '' } },
    'ben',
  );
  const ben = openUserApi(lab, polar, api.app, tokens);
  await expect(polar.oauth.enroll(ben, ours)).rejects.toMatchObject({ kind: 'forbidden' });
  expect(await polar.oauth.enroll(ben, { ...ours, memberId: 'member-ben' })).not.toBe(api.userId);
});

test('rejects a used code, a wrong secret and a consent without scopes', async () => {
  await using lab = await startTestLab();
  const authorization = { code: 'spent', redirectUri: lab.apps[0]!.redirectUris[0]!, verifier: '' };
  const returned = new URLSearchParams();
  const redeem = polar.oauth.redeem(openAppApi(lab, polar), { ...authorization, returned });
  await expect(redeem).rejects.toMatchObject({ kind: 'consent_ended' });
  const wrong = openAppApi(lab, polar, { ...appInLab(lab, polar), clientSecret: 'wrong' });
  await expect(polar.oauth.redeem(wrong, { ...authorization, returned })).rejects.toMatchObject({
    kind: 'refused',
  });
  await expect(connectInLab(lab, polar, 'ada', { scopes: [] })).rejects.toMatchObject({ kind: 'forbidden' });
});

test('revokes the consent, and can be repeated', async () => {
  await using lab = await startTestLab();
  const api = await connectInLab(lab, polar);
  await polar.oauth.revoke!(api);
  expect(lab.grants('polar')[0]!.revoked).toBe(true);
  await polar.oauth.revoke!(api);
  const span = { fromMs: lab.clock.now() - dayMs, toMs: lab.clock.now() };
  await expect(readAll(polar, 'sleep', api, span)).rejects.toMatchObject({ kind: 'unauthorized' });
});

test('reports when to retry after a limit, and rejects broken responses', async () => {
  await using lab = await startTestLab();
  const api = await connectInLab(lab, polar);
  const span = { fromMs: lab.clock.now() - 3 * dayMs, toMs: lab.clock.now() };
  for (const kind of ['error', 'truncated'] as const) {
    const { id } = lab.faults.on({ kind, rate: 1, provider: 'polar' });
    for (const { name } of polar.streams)
      await expect(readAll(polar, name, api, span), name).rejects.toMatchObject({ kind: 'unavailable' });
    lab.faults.off(id);
  }
  lab.faults.on({ kind: 'limited', rate: 1, provider: 'polar' });
  const failure = await readAll(polar, 'sleep', api, span).catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: 'limited' });
  const { retryAtMs } = failure as { retryAtMs: number };
  expect(retryAtMs).toBeGreaterThan(lab.clock.now());
  expect(retryAtMs).toBeLessThanOrEqual(lab.clock.now() + dayMs);
});

test('sets up pushes once, and reads what changed', async () => {
  await using lab = await startTestLab();
  const api = openAppApi(lab, polar);
  const push = polar.push!;
  let state: PushState = {};
  const acceptedBodies: string[] = [];
  let pings = 0;
  let isBroken = false;
  await using receiver = await receive(async (request) => {
    const response = isBroken ? { status: 500, keep: false } : await push.respond(request, { api, state });
    if (request.headers['polar-webhook-event'] === 'PING') pings += 1;
    if (response.keep) acceptedBodies.push(request.body.toString('utf8'));
    return response.status;
  });
  const setUp = async (url = receiver.url): Promise<void> => {
    state = await push.setUp!(api, { url, state });
  };
  await setUp();
  const first = state;
  await setUp();
  expect([state, pings]).toEqual([first, 1]);

  const ada = await connectInLab(lab, polar);
  await lab.clock.advance(5 * dayMs);
  expect(acceptedBodies).toHaveLength(lab.pushes.list().length);
  const notices = acceptedBodies.flatMap((body) => push.notices(body, {}));
  expect(new Set(notices.map((notice) => ('stream' in notice ? notice.stream : '')))).toEqual(
    new Set(['activity', 'heart-rate', 'sleep', 'nightly-recharge', 'exercises', 'physical-info']),
  );
  for (const notice of notices) {
    expect(notice.userId).toBe(ada.userId);
    const { readOne, map, name } = streamOf('stream' in notice ? notice.stream : '');
    const documents =
      notice.kind === 'document'
        ? await readOne!(ada, notice.id)
        : await readAll(polar, name, ada, { fromMs: lab.clock.now() - 1, toMs: lab.clock.now() });
    const batch = new BatchBuilder();
    map(documents, batch);
    expect(Object.values(batch.lists).flat().length, JSON.stringify(notice)).toBeGreaterThan(0);
  }
  expect(await streamOf('exercises').readOne!(ada, 'GONE')).toEqual([]);
  expect(await streamOf('sleep').readOne!(ada, '2026-12-31')).toEqual([]);

  // After a week of failures the webhook is inactive until it is fixed.
  isBroken = true;
  await lab.clock.advance(10 * dayMs);
  isBroken = false;
  const before = acceptedBodies.length;
  await lab.clock.advance(dayMs);
  expect(acceptedBodies).toHaveLength(before);
  await setUp();
  await lab.clock.advance(dayMs);
  expect(acceptedBodies.length).toBeGreaterThan(before);

  await setUp(`${receiver.url}moved`);
  expect([state, pings]).toEqual([first, 3]);
  // The secret is lost, so a new webhook is needed.
  state = {};
  await setUp();
  expect(state['secret']).not.toBe(first['secret']);
  const later = acceptedBodies.length;
  await lab.clock.advance(dayMs);
  expect(acceptedBodies.length).toBeGreaterThan(later);
});

/** A server that responds with a status. */
async function receive(
  respond: (request: {
    method: string;
    query: URLSearchParams;
    headers: Record<string, string>;
    body: Buffer;
  }) => Promise<number>,
): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const body = Buffer.concat(parts);
      void respond({ method: request.method ?? '', query: new URLSearchParams(), headers, body }).then(
        (status) => response.writeHead(status).end(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
