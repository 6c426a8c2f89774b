import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Day, Lab } from '@tributary/lab';
import { expect, test, vi } from 'vitest';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import type { App, Call, Span, UserApi } from '../provider.ts';
import { appInLab, connectInLab, openAppApi, openUserApi, readAll, startTestLab } from '../test/lab-api.ts';
import { googleHealth } from './index.ts';
import { activityScope, sleepScope } from './scopes.ts';

// A lab takes a while on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

const dayMs = 86_400_000;
const lately = { fromMs: Date.parse('2026-11-10T00:00:00Z'), toMs: Date.parse('2026-11-13T00:00:00Z') };

/** The data of all streams together for a span. */
async function readAndMapAll(api: UserApi, span: Span): Promise<BatchBuilder['lists']> {
  const batch = new BatchBuilder();
  for (const { name, map } of googleHealth.streams) map(await readAll(googleHealth, name, api, span), batch);
  return batch.lists;
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
const minutesIn = (sleep: Day['sleeps'][number], ...stages: string[]): number =>
  Math.round(
    sum(sleep.stages.filter(({ stage }) => stages.includes(stage)).map(({ start, end }) => end - start)) /
      60_000,
  );

test.each([
  // Clocks go back at night, forward at midnight, or never change. One user travels far.
  { person: 'ada', around: '2026-10-25' },
  { person: 'hana', around: '2026-09-06' },
  { person: 'gita', around: '2026-11-11' },
  { person: 'dara', around: '2026-11-08' },
])('$person matches the ground truth around $around', async ({ person, around }) => {
  await using lab = await startTestLab();
  const api = await connectInLab(lab, googleHealth, person);
  const middle = Date.parse(around);
  const lists = await readAndMapAll(api, { fromMs: middle - 2 * dayMs, toMs: middle + 3 * dayMs });
  for (let offset = -1; offset <= 1; offset += 1) {
    const date = new Date(middle + offset * dayMs).toISOString().slice(0, 10);
    const truth = lab.truth(person, date);
    const ofDate = (metric: string): number | undefined =>
      lists.daily.find((one) => one.date === date && one.metric === metric)?.value;
    expect(ofDate('steps')).toBe(truth.steps);
    expect(ofDate('distance')).toBeCloseTo(truth.distanceM / 1000, 6);
    expect(ofDate('floors_climbed')).toBe(truth.floors === 0 ? undefined : truth.floors);
    expect(ofDate('active_calories')).toBe(truth.activeKcal);
    expect(ofDate('resting_energy')).toBe(truth.basalKcal);
    expect(ofDate('total_energy')).toBe(truth.activeKcal + truth.basalKcal);
    expect(ofDate('moderate_intensity_activity') ?? 0).toBe(Math.round(truth.activeSeconds.medium / 60));
    expect(ofDate('resting_heart_rate')).toBe(truth.restingHeartRate);
    expect(ofDate('sleep_respiratory_rate')).toBeCloseTo(truth.respiratoryRate, 1);
    expect(ofDate('vo2_max')).toBe(truth.vo2Max);
    const main = truth.sleeps.find(({ isMain }) => isMain)!;
    expect(ofDate('sleep_heart_rate_variability')).toBe(main.averageHrv);
    expect(ofDate('sleep_blood_oxygen')).toBe(main.bloodOxygenPercent);
    expect(ofDate('sleep_skin_temperature')).toBeCloseTo(main.skinTemperatureC, 2);
    expectSleeps(lists, truth);
    expectWorkouts(lists, truth);
    expectSamples(lists, truth);
  }
});

function expectSleeps({ sleep }: BatchBuilder['lists'], truth: Day): void {
  const ended = sleep.filter(({ end }) => Date.parse(end) > truth.start && Date.parse(end) <= truth.end);
  expect(ended).toHaveLength(truth.sleeps.length);
  for (const one of truth.sleeps) {
    const session = ended.find(({ end }) => Date.parse(end) === one.end)!;
    expect(Date.parse(session.start)).toBe(one.start);
    expect(session.minutes).toMatchObject({
      asleep: minutesIn(one, 'light', 'deep', 'rem'),
      awake: minutesIn(one, 'awake'),
      ...(one.isMain && { rem: minutesIn(one, 'rem'), deep: minutesIn(one, 'deep') }),
    });
    const spans = session.stages!.map(({ start, end }) => Date.parse(end) - Date.parse(start));
    expect(sum(spans)).toBe(one.end - one.start);
    const isStaged = session.stages!.some(({ stage }) => stage === 'rem' || stage === 'deep');
    expect(isStaged).toBe(one.isMain);
  }
}

function expectWorkouts({ workouts }: BatchBuilder['lists'], truth: Day): void {
  for (const workout of truth.workouts) {
    const matches = workouts.filter(({ start }) => Date.parse(start) === workout.start);
    expect(matches).toHaveLength(1);
    expect(Date.parse(matches[0]!.end)).toBe(workout.end);
    expect(matches[0]!.values).toMatchObject({
      active_calories: workout.activeKcal,
      heart_rate_avg: workout.averageHeartRate,
      ...(workout.distanceM !== null && { distance: workout.distanceM / 1000 }),
    });
  }
}

function expectSamples({ series }: BatchBuilder['lists'], truth: Day): void {
  const pointsOf = (metric: string): Map<number, number> =>
    new Map(
      series
        .filter((one) => one.metric === metric)
        .flatMap(({ start, offsets_seconds: offsets = [], values }) =>
          values.map((value, at): [number, number] => [Date.parse(start) + offsets[at]! * 1000, value]),
        ),
    );
  const beats = pointsOf('heart_rate');
  for (const { at, value } of truth.heartRate) expect(beats.get(at)).toBe(value);
  if (truth.body) expect(pointsOf('weight').get(truth.body.at)).toBeCloseTo(truth.body.weightKg, 2);
  const variability = pointsOf('heart_rate_variability_rmssd');
  for (const { at, value } of truth.sleeps.flatMap(({ hrv }) => hrv)) expect(variability.get(at)).toBe(value);
}

test("always merges overlapping sources, and accepts Google's maximum page size", async () => {
  await using lab = await startTestLab();
  const api = await connectInLab(lab, googleHealth);
  const calls: Call[] = [];
  await readAndMapAll({ ...api, send: (call) => (calls.push(call), api.send(call)) }, lately);
  expect(calls.length).toBeGreaterThanOrEqual(googleHealth.streams.length);
  for (const { url, query } of calls) {
    expect(url).toMatch(/:(reconcile|dailyRollUp)$/);
    if (query) expect(query['pageSize']).toBe(/\/(sleep|exercise)\/dataPoints/.test(url) ? 25 : 10_000);
  }
});

test('reads all pages of a glucose sensor', async () => {
  await using lab = await startTestLab();
  const api = await connectInLab(lab, googleHealth, 'ben');
  const glucose = await readAll(googleHealth, 'blood-glucose', api, lately);
  expect(glucose).toHaveLength((3 * dayMs) / 300_000);
});

test('finds data entered at sign-up behind empty pages', async () => {
  await using lab = await startTestLab({ startAt: Date.parse('2025-05-01T12:00:00Z') });
  const api = await connectInLab(lab, googleHealth, 'ben');
  const ever = { fromMs: Date.parse('2024-01-01T00:00:00Z'), toMs: lab.clock.now() };
  const batch = new BatchBuilder();
  const height = googleHealth.streams.find(({ name }) => name === 'height')!;
  height.map(await readAll(googleHealth, 'height', api, ever), batch);
  expect(batch.lists.series).toHaveLength(1);
  expect(batch.lists.series[0]!.values[0]).toBeGreaterThan(120);
});

test('requests long spans in ranges that Google accepts', async () => {
  await using lab = await startTestLab();
  const api = await connectInLab(lab, googleHealth);
  const span = { fromMs: lab.clock.now() - 100 * dayMs, toMs: lab.clock.now() };
  for (const name of ['steps', 'total-calories', 'active-minutes'])
    expect((await readAll(googleHealth, name, api, span)).length).toBeGreaterThan(100);
});

test('keeps a refresh token that is not repeated, and fails only when the consent ends', async () => {
  await using lab = await startTestLab();
  const api = await connectInLab(lab, googleHealth);
  await lab.clock.advance(2 * 3_600_000);
  const expired = openUserApi(lab, googleHealth, api.app, api.tokens);
  await expect(googleHealth.oauth.enroll(expired, { memberId: 'm', pushUrl: '' })).rejects.toMatchObject({
    kind: 'unauthorized',
  });
  const refresh = googleHealth.oauth.refresh!;
  const app = openAppApi(lab, googleHealth);
  const fresh = await refresh(app, api.tokens);
  expect(fresh.refreshToken).toBe(api.tokens.refreshToken);
  expect(fresh.accessToken).not.toBe(api.tokens.accessToken);
  expect(fresh.expiresAtMs).toBe(lab.clock.now() + 3_600_000);
  expect(fresh.scopes).toEqual([...googleHealth.oauth.scopes]);

  const wrongSecret = openAppApi(lab, googleHealth, { ...api.app, clientSecret: 'wrong' });
  await expect(refresh(wrongSecret, fresh)).rejects.toMatchObject({ kind: 'refused' });
  for (const [status, body] of [
    [503, '{"error":"invalid_grant"}'],
    [500, 'invalid_grant'],
    [429, '{}'],
    [200, '{"access_to'],
    [200, '{}'],
  ] as const) {
    await using broken = await serve(() => ({ status, body }));
    const hosts = { ...api.app.hosts, oauth2: broken.url };
    const kind = status === 429 ? 'limited' : 'unavailable';
    await expect(refresh(openAppApi(lab, googleHealth, { ...api.app, hosts }), fresh)).rejects.toMatchObject({
      kind,
    });
  }
  lab.revoke(lab.grants('google_health')[0]!.id);
  await expect(refresh(app, fresh)).rejects.toMatchObject({ kind: 'consent_ended' });
  await expect(readAll(googleHealth, 'steps', api, lately)).rejects.toMatchObject({ kind: 'unauthorized' });
});

test('revokes the consent, and can be repeated', async () => {
  await using lab = await startTestLab();
  const api = await connectInLab(lab, googleHealth);
  expect(api.userId).toBe(lab.grants('google_health')[0]!.userId);
  await googleHealth.oauth.revoke!(api);
  expect(lab.grants('google_health')[0]!.revoked).toBe(true);
  await googleHealth.oauth.revoke!(api);
});

test('reports when to retry after a limit, and rejects broken responses', async () => {
  await using lab = await startTestLab();
  const api = await connectInLab(lab, googleHealth);
  const reading = () => readAll(googleHealth, 'steps', api, lately);
  for (const kind of ['error', 'truncated'] as const) {
    const { id } = lab.faults.on({ kind, rate: 1, provider: 'google_health' });
    await expect(reading()).rejects.toMatchObject({ kind: 'unavailable' });
    lab.faults.off(id);
  }
  lab.faults.on({ kind: 'limited', rate: 1, provider: 'google_health' });
  await expect(reading()).rejects.toMatchObject({
    kind: 'limited',
    retryAtMs: lab.clock.now() + 60_000,
  });
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '12.500s' }];
  const response = { status: 429, headers: {}, body: JSON.stringify({ error: { code: 429, details } }) };
  expect(googleHealth.failureOf(response, 1000)?.retryAtMs).toBe(13_500);
  expect(googleHealth.failureOf({ ...response, headers: { 'retry-after': '7' } }, 1000)?.retryAtMs).toBe(
    8000,
  );
});

test('forbids streams without a scope, and reads the rest', async () => {
  await using lab = await startTestLab();
  const api = await connectInLab(lab, googleHealth, 'ada', { scopes: [sleepScope] });
  expect(api.scopes).toEqual([sleepScope]);
  for (const { name, scopes } of googleHealth.streams) {
    const reading = readAll(googleHealth, name, api, lately);
    if (scopes!.includes(sleepScope)) expect((await reading).length).toBeGreaterThan(0);
    else await expect(reading).rejects.toMatchObject({ kind: 'forbidden' });
  }
  const active = await connectInLab(lab, googleHealth, 'ben', { scopes: [activityScope] });
  for (const { name, scopes } of googleHealth.streams)
    if (scopes!.includes(activityScope)) await readAll(googleHealth, name, active, lately);
});

test('reports a deleted session as gone', async () => {
  const span = { fromMs: Date.parse('2026-08-01T00:00:00Z'), toMs: Date.parse('2026-11-01T00:00:00Z') };
  const idsIn = async (lab: Lab): Promise<{ api: UserApi; ids: string[] }> => {
    const api = await connectInLab(lab, googleHealth);
    const batch = new BatchBuilder();
    sleepStream.map(await readAll(googleHealth, 'sleep', api, span), batch);
    return { api, ids: batch.lists.sleep.map(({ id }) => id) };
  };
  await using lab = await startTestLab();
  await using revised = await startTestLab({ faults: [{ kind: 'revised', rate: 1 }] });
  const before = await idsIn(lab);
  const after = await idsIn(revised);
  const deletedIds = before.ids.filter((id) => !after.ids.includes(id));
  expect(deletedIds.length).toBeGreaterThan(0);
  expect(await sleepStream.readOne!(after.api, deletedIds[0]!)).toEqual([]);
  expect(await sleepStream.readOne!(before.api, deletedIds[0]!)).toHaveLength(1);
});

const sleepStream = googleHealth.streams.find(({ name }) => name === 'sleep')!;

test('sets up pushes once, verified, and reads what changed', async () => {
  await using lab = await startTestLab();
  const app: App = appInLab(lab, googleHealth, { project_number: '123456', service_account: 'lab' });
  const api = openAppApi(lab, googleHealth, app);
  const push = googleHealth.push!;
  const acceptedBodies: string[] = [];
  let requestCount = 0;
  let isBroken = false;
  await using receiver = await serve(async (request) => {
    requestCount += 1;
    const response = isBroken
      ? { status: 500, keep: false }
      : await push.respond(request, { api, state: {} });
    if (response.keep) acceptedBodies.push(request.body.toString('utf8'));
    return response;
  });
  const state = await push.setUp!(api, { url: receiver.url, state: {} });
  expect(requestCount).toBe(2);
  expect(await push.setUp!(api, { url: receiver.url, state })).toEqual(state);
  expect(requestCount).toBe(2);
  // The stored state is lost. The subscriber is found again by its URL and given the secret again.
  expect(await push.setUp!(api, { url: receiver.url, state: {} })).toEqual(state);
  expect(requestCount).toBe(4);

  const ada = await connectInLab(lab, googleHealth, 'ada', { app });
  await lab.clock.advance(dayMs);
  const pushes = lab.pushes.list();
  expect(pushes.length).toBeGreaterThan(20);
  expect(acceptedBodies).toHaveLength(pushes.length);
  const notices = acceptedBodies.flatMap((body) => push.notices(body, {}));
  expect(new Set(notices.map(({ userId }) => userId))).toEqual(new Set([ada.userId]));
  const tokens = await googleHealth.oauth.refresh!(api, ada.tokens);
  const user = openUserApi(lab, googleHealth, app, tokens);
  for (const notice of notices) {
    const stream = googleHealth.streams.find(({ name }) => 'stream' in notice && name === notice.stream)!;
    const documents =
      notice.kind === 'document'
        ? await stream.readOne!(user, notice.id)
        : notice.kind === 'span'
          ? await readAll(googleHealth, stream.name, user, notice)
          : [];
    expect(documents.length, JSON.stringify(notice)).toBeGreaterThan(0);
    const batch = new BatchBuilder();
    stream.map(documents, batch);
    expect(Object.values(batch.lists).flat().length).toBeGreaterThan(0);
    await lab.clock.advance(1000);
  }
  expect(notices.some(({ kind }) => kind === 'document')).toBe(true);

  isBroken = true;
  await lab.clock.advance(2 * dayMs);
  isBroken = false;
  const failed = acceptedBodies.length;
  await lab.clock.advance(dayMs);
  expect(acceptedBodies).toHaveLength(failed);
  await push.setUp!(api, { url: receiver.url, state });
  await lab.clock.advance(dayMs);
  expect(acceptedBodies.length).toBeGreaterThan(failed);
  // The app moves, and its subscriber moves with it.
  const before = requestCount;
  const moved = await push.setUp!(api, { url: `${receiver.url}moved`, state });
  expect(moved).toEqual(state);
  expect(requestCount).toBe(before + 2);
});

/** A server with configurable responses. */
async function serve(
  respond: (request: {
    method: string;
    query: URLSearchParams;
    headers: Record<string, string>;
    body: Buffer;
  }) => Promise<{ status: number; body?: string }> | { status: number; body?: string },
): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { searchParams: query } = new URL(request.url ?? '/', 'http://receiver');
      const headers = request.headers as Record<string, string>;
      void Promise.resolve(
        respond({ method: request.method ?? '', query, headers, body: Buffer.concat(parts) }),
      ).then(({ status, body = '' }) => response.writeHead(status).end(body));
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
