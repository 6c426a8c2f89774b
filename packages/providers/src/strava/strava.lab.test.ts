import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Lab, Workout } from '@tributary/lab';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BatchBuilder } from '../mapping/batch-builder.ts';
import type { AppApi, Documents, Notice, PushRequest, PushState, Tokens, UserApi } from '../provider.ts';
import { appInLab, connectInLab, openAppApi, openUserApi, readAll, startTestLab } from '../test/lab-api.ts';
import { strava } from './index.ts';

const dayMs = 86_400_000;
const [stream] = strava.streams as [(typeof strava.streams)[number]];
const push = strava.push!;
const iso = (ms: number) => new Date(ms).toISOString();

function mapDocuments(documents: Documents): BatchBuilder['lists'] {
  const batch = new BatchBuilder();
  stream.map(documents, batch);
  return batch.lists;
}

async function readAndMap(lab: Lab, api: UserApi, days: number): Promise<BatchBuilder['lists']> {
  const span = { fromMs: lab.clock.now() - days * dayMs, toMs: lab.clock.now() };
  return mapDocuments(await readAll(strava, 'activity', api, span));
}

function workoutsBefore(lab: Lab, person: string, days: number): Workout[] {
  return Array.from({ length: days }, (_, back) => iso(lab.clock.now() - (back + 1) * dayMs).slice(0, 10))
    .flatMap((date) => lab.truth(person, date).workouts)
    .sort((a, b) => a.start - b.start);
}

/** How to find a person's activity in the ground truth if its start may be hidden. */
function isOf(workout: Workout, mappedWorkout: BatchBuilder['lists']['workouts'][number]): boolean {
  const { start, end } = mappedWorkout;
  if (Date.parse(end) - Date.parse(start) !== workout.end - workout.start) return false;
  const isHidden =
    Date.parse(start) + localOf(mappedWorkout) === midnightOf(workout.start + localOf(mappedWorkout)) + 1000;
  return start === iso(workout.start) || isHidden;
}

function localOf({ utc_offset: offset = '+00:00' }: { utc_offset?: string }): number {
  const [hours, minutes] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours! * 60 + minutes!) * 60_000;
}

const midnightOf = (ms: number) => Math.floor(ms / dayMs) * dayMs;

describe('reading', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startTestLab();
  });
  afterAll(() => lab[Symbol.asyncDispose]());
  // Starts a new quarter-hour with another hundred calls.
  beforeEach(() => lab.clock.advance(900_000));

  test.each([
    ['ada', '+01:00'],
    ['gita', '+05:45'],
    ['hana', '-03:00'],
  ])('matches the ground truth for workouts of %s', async (person, offset) => {
    const api = await connectInLab(lab, strava, person);
    const { workouts } = await readAndMap(lab, api, 13);
    const truth = workoutsBefore(lab, person, 12);
    expect(truth.length).toBeGreaterThan(3);
    for (const one of truth) {
      const mappedWorkout = workouts.find((workout) => isOf(one, workout))!;
      expect(mappedWorkout).toMatchObject({ utc_offset: offset });
      expect(mappedWorkout.values).toMatchObject({
        active_calories: one.activeKcal,
        ...(one.distanceM && { distance: one.distanceM / 1000 }),
        ...(one.elevationGainM && { elevation_gain: one.elevationGainM }),
      });
      // Manual activities have no measurements.
      if (mappedWorkout.values?.['heart_rate_avg'] === undefined) continue;
      expect(mappedWorkout.values).toMatchObject({
        heart_rate_avg: one.averageHeartRate,
        heart_rate_max: one.maxHeartRate,
      });
      expect(mappedWorkout.heart_rate?.values).toEqual(one.heartRate.map(({ value }) => value));
      expect(mappedWorkout.heart_rate?.start).toBe(mappedWorkout.start);
    }
    expect(workouts.some((workout) => workout.heart_rate)).toBe(true);
  });

  test('makes one list call and two calls per activity, and none for a missing heart rate', async () => {
    const api = await connectInLab(lab, strava, 'ada');
    const before = lab.counts('strava').requests;
    const { workouts } = await readAndMap(lab, api, 14);
    const measured = workouts.filter(({ heart_rate }) => heart_rate).length;
    expect(lab.counts('strava').requests - before).toBe(1 + workouts.length + measured);
  });

  test('keeps the offset of each activity before and after a clock change', async () => {
    await using summer = await startTestLab({ startAt: Date.parse('2026-10-28T12:00:00Z') });
    const api = await connectInLab(summer, strava, 'ada');
    const { workouts } = await readAndMap(summer, api, 10);
    const change = Date.parse('2026-10-25T01:00:00Z');
    for (const { start, utc_offset: offset } of workouts)
      expect(offset).toBe(Date.parse(start) < change ? '+02:00' : '+01:00');
    expect(new Set(workouts.map(({ utc_offset: offset }) => offset)).size).toBe(2);
  });

  test('does not read private activities without the scope', async () => {
    const counts = [];
    for (const scopes of [['activity:read'], ['activity:read_all']]) {
      const api = await connectInLab(lab, strava, 'finn', { scopes });
      expect(api.scopes).toEqual(scopes);
      const span = { fromMs: lab.clock.now() - 20 * dayMs, toMs: lab.clock.now() };
      counts.push((await readAll(strava, 'activity', api, span)).length);
    }
    expect(counts[0]).toBeLessThan(counts[1]!);
  });

  test('is forbidden without any activity scope, and no token refresh is tried', async () => {
    const api = await connectInLab(lab, strava, 'ada', { scopes: ['read'] });
    await expect(readAndMap(lab, api, 3)).rejects.toMatchObject({ kind: 'forbidden' });
  });

  test('reports a missing document as gone', async () => {
    const api = await connectInLab(lab, strava);
    expect(await stream.readOne!(api, '99')).toEqual([]);
    expect(await stream.readOne!(api, '../athlete')).toEqual([]);
  });

  test('continues after a page that is nearly full', async () => {
    const queries: unknown[] = [];
    const pages = [190, 3];
    const send: UserApi['send'] = ({ url, query }) => {
      if (!url.endsWith('/athlete/activities'))
        return Promise.resolve({ status: 200, headers: {}, body: '{"id":1}' });
      queries.push(query);
      const list = Array.from({ length: pages[queries.length - 1] ?? 0 }, (_, id) => ({ id }));
      return Promise.resolve({ status: 200, headers: {}, body: JSON.stringify(list) });
    };
    const api = { ...(await connectInLab(lab, strava)), send };
    const documents = await readAll(strava, 'activity', api, { fromMs: 10_500, toMs: 20_500 });
    expect(documents).toHaveLength(193);
    expect(queries).toEqual([1, 2].map((page) => ({ after: 9, before: 21, page, per_page: 200 })));
  });
});

describe('tokens and errors', () => {
  test('keeps the access token on refresh while it is valid, and gets a new one later', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, strava);
    const app = openAppApi(lab, strava);
    expect(api.tokens).toMatchObject({
      scopes: ['read', 'activity:read', 'activity:read_all'],
      expiresAtMs: lab.clock.now() + 21_600_000,
    });
    let tokens: Tokens = await strava.oauth.refresh!(app, api.tokens);
    expect(tokens.accessToken).toBe(api.tokens.accessToken);
    const seen = new Set([tokens.refreshToken]);
    for (let times = 0; times < 6; times += 1) {
      await lab.clock.advance(6 * 3_600_000);
      tokens = await strava.oauth.refresh!(app, tokens);
      seen.add(tokens.refreshToken);
    }
    expect(tokens.accessToken).not.toBe(api.tokens.accessToken);
    expect(tokens.scopes).toEqual(api.tokens.scopes);
    expect(seen.size).toBeGreaterThan(1);
    const user = openUserApi(lab, strava, api.app, tokens);
    expect((await readAndMap(lab, user, 7)).workouts.length).toBeGreaterThan(0);
  });

  test('reports a revoked consent on refresh, and an invalid token on data', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, strava);
    lab.revoke(lab.grants('strava')[0]!.id);
    await expect(readAndMap(lab, api, 1)).rejects.toMatchObject({ kind: 'unauthorized' });
    await expect(strava.oauth.refresh!(openAppApi(lab, strava), api.tokens)).rejects.toMatchObject({
      kind: 'consent_ended',
    });
  });

  test('rejects an unknown app regardless of the token', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, strava);
    const stranger = openAppApi(lab, strava, { ...appInLab(lab, strava), clientSecret: 'wrong' });
    await expect(strava.oauth.refresh!(stranger, api.tokens)).rejects.toMatchObject({ kind: 'refused' });
  });

  const errorOf = (resource: string, field: string, code: string) =>
    JSON.stringify({ message: 'Bad Request', errors: [{ resource, field, code }] });
  test.each([
    [503, '<html></html>', 'unavailable'],
    [200, '{"access_to', 'unavailable'],
    [200, '{}', 'unavailable'],
    [429, '', 'limited'],
    [400, errorOf('RefreshToken', 'refresh_token', 'invalid'), 'consent_ended'],
    [400, errorOf('RefreshToken', 'refresh_token', 'missing'), 'refused'],
    [400, errorOf('Application', 'grant_type', 'invalid'), 'refused'],
    [400, 'Bad Request', 'refused'],
    [401, errorOf('Application', 'client_id', 'invalid'), 'refused'],
    [500, errorOf('RefreshToken', 'refresh_token', 'invalid'), 'unavailable'],
  ])('a token endpoint that returns %i %s: %s', async (status, body, kind) => {
    const app = { clientId: 'a', clientSecret: 'b', hosts: strava.hosts, settings: {} };
    const response = { status, headers: {}, body };
    const send = () => {
      const failure = strava.failureOf(response, 0);
      return failure ? Promise.reject(failure) : Promise.resolve(response);
    };
    const tokens = { accessToken: 'c', refreshToken: 'd', expiresAtMs: null, scopes: null };
    const refreshed = strava.oauth.refresh!({ app, now: () => 0, send }, tokens);
    await expect(refreshed).rejects.toMatchObject({ kind });
  });

  test('revokes the consent, and can be repeated', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, strava);
    await strava.oauth.revoke!(api);
    await strava.oauth.revoke!(api);
    expect(lab.grants('strava')[0]?.revoked).toBe(true);
  });

  test('reports a broken server and truncated responses as unavailable', async () => {
    await using lab = await startTestLab();
    const api = await connectInLab(lab, strava);
    for (const kind of ['error', 'truncated'] as const) {
      const { id } = lab.faults.on({ kind, rate: 1 });
      await expect(readAndMap(lab, api, 3)).rejects.toMatchObject({ kind: 'unavailable' });
      lab.faults.off(id);
    }
  });

  test('reports the end of the window as the retry time after too many calls', async () => {
    await using lab = await startTestLab({ startAt: Date.parse('2026-11-15T12:07:00Z') });
    const api = await connectInLab(lab, strava);
    lab.faults.on({ kind: 'limited', rate: 1 });
    const failure = await readAndMap(lab, api, 3).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'limited', retryAtMs: Date.parse('2026-11-15T12:15:00Z') });
    const headers = { 'x-readratelimit-limit': '100,1000', 'x-readratelimit-usage': '12,1000' };
    const ofDay = strava.failureOf({ status: 429, headers, body: '' }, lab.clock.now());
    expect(ofDay?.retryAtMs).toBe(Date.parse('2026-11-16T00:00:00Z'));
  });
});

describe('pushes', () => {
  /** Responds as the service does, and records authentic pushes. */
  class Receiver implements AsyncDisposable {
    state: PushState = {};
    readonly acceptedPushes: { body: string; request: PushRequest }[] = [];
    readonly statuses: number[] = [];
    readonly #server: Server;
    url = '';

    constructor(api: () => AppApi) {
      this.#server = createServer((request, response) => {
        void text(request).then(async (body) => {
          const pushRequest: PushRequest = {
            method: request.method ?? '',
            query: new URL(request.url ?? '/', 'http://receiver').searchParams,
            headers: Object.fromEntries(
              Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
            ),
            body: Buffer.from(body),
          };
          const pushResponse = await push.respond(pushRequest, { api: api(), state: this.state });
          this.statuses.push(pushResponse.status);
          if (pushResponse.keep) this.acceptedPushes.push({ body, request: pushRequest });
          response.writeHead(pushResponse.status).end(pushResponse.body ?? '');
        });
      });
    }

    async listen(): Promise<this> {
      await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
      this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/push`;
      return this;
    }

    get notices(): Notice[] {
      return this.acceptedPushes.flatMap(({ body }) => push.notices(body, {}));
    }

    async [Symbol.asyncDispose](): Promise<void> {
      this.#server.closeAllConnections();
      await new Promise((resolve) => this.#server.close(resolve));
    }
  }

  test('are set up once, echo the challenge, and move with their URL', async () => {
    await using lab = await startTestLab();
    const api = openAppApi(lab, strava);
    await using first = await new Receiver(() => api).listen();
    await using second = await new Receiver(() => api).listen();
    const state = await push.setUp!(api, { url: first.url, state: {} });
    expect(first.statuses).toEqual([200]);
    expect(await push.setUp!(api, { url: first.url, state })).toEqual(state);
    expect(first.statuses).toEqual([200]);
    const moved = await push.setUp!(api, { url: second.url, state });
    expect(moved['subscription_id']).not.toBe(state['subscription_id']);
    expect(await push.setUp!(api, { url: second.url, state: {} })).toEqual(moved);
    expect([first.acceptedPushes, second.acceptedPushes]).toEqual([[], []]);
  });

  test.each([
    ['another token', 'hub.verify_token', 'wrong'],
    ['another mode', 'hub.mode', 'unsubscribe'],
  ])('ignore a challenge with %s', async (_, name, value) => {
    await using lab = await startTestLab();
    const api = openAppApi(lab, strava);
    await using receiver = await new Receiver(() => api).listen();
    let seen = '';
    const spied: AppApi = {
      ...api,
      send: (call) => {
        seen = String(call.form?.['verify_token'] ?? seen);
        return api.send(call);
      },
    };
    await push.setUp!(spied, { url: receiver.url, state: {} });
    const query = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.challenge': 'word',
      'hub.verify_token': seen,
    });
    const sendChallenge = () =>
      push.respond({ method: 'GET', query, headers: {}, body: Buffer.from('') }, { api, state: {} });
    expect(await sendChallenge()).toEqual({ status: 200, body: '{"hub.challenge":"word"}', keep: false });
    query.set(name, value);
    expect(await sendChallenge()).toEqual({ status: 401, keep: false });
  });

  test('are accepted only if authentic, and lead to documents', async () => {
    await using lab = await startTestLab();
    const api = openAppApi(lab, strava);
    await using receiver = await new Receiver(() => api).listen();
    receiver.state = await push.setUp!(api, { url: receiver.url, state: {} });
    const user = await connectInLab(lab, strava);
    await lab.clock.advance(5 * dayMs);
    expect(receiver.acceptedPushes.length).toBeGreaterThan(0);
    const fresh = openUserApi(lab, strava, api.app, await strava.oauth.refresh!(api, user.tokens));
    for (const notice of receiver.notices) {
      expect(notice).toMatchObject({ userId: user.userId, kind: 'document', stream: 'activity' });
      if (notice.kind !== 'document') continue;
      const documents = await stream.readOne!(fresh, notice.id);
      expect(mapDocuments(documents).workouts).toMatchObject([{ id: notice.id }]);
    }

    const { request } = receiver.acceptedPushes.at(-1)!;
    const [, seconds, mac] = /t=(\d+),v1=(\w+)/.exec(request.headers['x-strava-signature']!)!;
    const at = Number(seconds) * 1000;
    const respond = (changed: Partial<PushRequest>, state = receiver.state, now = at, settings = {}) =>
      push.respond(
        { ...request, ...changed },
        { api: { ...api, now: () => now, app: { ...api.app, settings } }, state },
      );
    const signedAs = (signature: string) => ({ headers: { 'x-strava-signature': signature } });
    expect(await respond({})).toEqual({ status: 200, keep: true });
    expect(await respond({}, receiver.state, at + 300_000)).toMatchObject({ keep: true });
    const refused = [
      respond({ headers: {} }),
      respond({ body: Buffer.from(`${request.body.toString()} `) }),
      respond(signedAs(`t=${Number(seconds) + 1},v1=${mac}`)),
      respond(signedAs(`t=${seconds},v1=${'0'.repeat(64)}`)),
      respond(signedAs(`t=${seconds},v1=`)),
      respond({}, receiver.state, at + 301_000),
      respond({}, receiver.state, at - 301_000),
      respond({}, { subscription_id: '1' }),
      respond({}, {}),
      // Without signatures, only the subscription shows the origin.
      respond({ headers: {} }, { subscription_id: '1' }, at, { signed_pushes: 'false' }),
    ];
    for (const one of await Promise.all(refused)) expect(one).toEqual({ status: 401, keep: false });
    const unsigned = await respond({ headers: {} }, receiver.state, at, { signed_pushes: 'false' });
    expect(unsigned).toEqual({ status: 200, keep: true });
  });

  test('report edits, deletions and the end of a consent', async () => {
    await using lab = await startTestLab();
    const api = openAppApi(lab, strava);
    await using receiver = await new Receiver(() => api).listen();
    receiver.state = await push.setUp!(api, { url: receiver.url, state: {} });
    const user = await connectInLab(lab, strava);
    lab.faults.on({ kind: 'revised', rate: 1 });
    await lab.clock.advance(20 * dayMs);
    const deleted = receiver.notices.filter(({ kind }) => kind === 'deleted');
    expect(deleted.length).toBeGreaterThan(0);
    const fresh = openUserApi(lab, strava, api.app, await strava.oauth.refresh!(api, user.tokens));
    for (const notice of deleted)
      if (notice.kind === 'deleted') expect(await stream.readOne!(fresh, notice.id)).toEqual([]);
    lab.revoke(lab.grants('strava')[0]!.id);
    await lab.pushes.idle();
    expect(receiver.notices.at(-1)).toEqual({ userId: user.userId, kind: 'revoked' });
  });

  test.each([
    '',
    '[]',
    'null',
    '{"owner_id":1',
    '{"owner_id":1}',
    '{"owner_id":1,"object_type":"activity","object_id":2,"aspect_type":"like"}',
    '{"owner_id":1,"object_type":"activity","aspect_type":"create"}',
    '{"owner_id":1,"object_type":"athlete","object_id":1,"aspect_type":"update","updates":{"weight":"80"}}',
    '{"owner_id":1,"object_type":"route","object_id":2,"aspect_type":"create"}',
    '{"object_type":"activity","object_id":2,"aspect_type":"create"}',
  ])('ignore unknown content: %s', (body) => {
    expect(push.notices(body, {})).toEqual([]);
  });
});
