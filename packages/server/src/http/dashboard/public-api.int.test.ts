import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { access } from '../frame/access.ts';
import { entriesDuring } from '../../test/audit.ts';
import { joinAs, TestBrowser } from '../../test/data/operators.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { createPhoneUser, workThrough } from '../../test/data/uploads.ts';

/** Covers the public API with a dashboard session, as the dashboard's pages call it. */

let app: TestApp;
let userId: string;
beforeAll(async () => {
  app = await startTestApp({ ADDRESS_LIMIT_PER_SECOND: '1000', ADDRESS_LIMIT_BURST: '10000' });
  const user = await createPhoneUser(app);
  userId = user.id;
  await user.upload(
    { id: 'watch-1' },
    {
      series: [
        { metric: 'heart_rate', start: '2026-03-01T08:00:00Z', interval_seconds: 60, values: [61, 62] },
      ],
    },
  );
  await workThrough(app);
});
afterAll(() => app[Symbol.asyncDispose]());

test("audits a developer's read of a user", async () => {
  const { browser } = await joinAs(app, 'developer');
  const path = `/v1/users/${userId}/daily?start_date=2026-03-01&end_date=2026-03-01`;
  const { response, entries } = await entriesDuring(app, () => browser.api('GET', path));
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const session = await browser.call('GET', '/session');
  expect(entries).toMatchObject([
    {
      action: 'user.read',
      actor: `operator ${session.body.operator.id}`,
      target: `user ${userId}`,
      environment: 'live',
      data: { operation: 'listDaily' },
    },
  ]);
  expect(entries.map(({ data, text }) => [data, text])).toEqual([[{ operation: 'listDaily' }, null]]);
});

test.each([
  ['/v1/events', 'listEvents'],
  ['/v1/events/stream', 'streamEvents'],
])('audits following %s of one user', async (path, operation) => {
  const { browser } = await joinAs(app, 'developer');
  const { response, entries } = await entriesDuring(app, () =>
    browser.api('GET', `${path}?user_id=${userId}`),
  );
  expect(response.status).toBe(200);
  expect(entries).toMatchObject([{ action: 'user.read', target: `user ${userId}`, data: { operation } }]);
});

test('does not audit reads without a user or without a successful response', async () => {
  const { browser } = await joinAs(app, 'owner');
  const { entries } = await entriesDuring(app, async () => {
    expect((await browser.api('GET', '/v1/users')).status).toBe(200);
    expect((await browser.api('GET', '/v1/webhooks')).status).toBe(200);
    expect((await browser.api('GET', '/v1/events')).status).toBe(200);
    expect((await browser.api('GET', '/v1/events?user_id=no')).status).toBe(400);
    expect((await browser.api('GET', `/v1/users/${userId}/daily?start_date=no`)).status).toBe(400);
    expect((await browser.api('GET', `/v1/users/${userId}`, 'sandbox')).status).toBe(404);
  });
  expect(entries).toEqual([]);
});

// @contract access-records: A user token that a dashboard user creates is audited with its id, which access records name
test.each(['/v1/auth/user-token', '/v1/auth/user-token/refresh'])(
  'audits a user token created at %s in the dashboard, but not with an API key',
  async (path) => {
    const { browser } = await joinAs(app, 'developer');
    const body = { user_id: userId };
    const { response, entries } = await entriesDuring(app, () => browser.api('POST', path, 'live', body));
    expect(response.status).toBe(200);
    expect(entries).toMatchObject([
      {
        action: 'user_token.created',
        actor: expect.stringMatching(/^operator op_/),
        target: `user ${userId}`,
        data: {
          token_id: formatId('tok', decodeJwt(response.body.token).jti!),
          expires_at: response.body.expires_at,
        },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(response.body.token);
    const withKey = await entriesDuring(app, () => app.request('POST', path, { body }));
    expect(withKey.entries).toEqual([]);
  },
);

test('records the dashboard user as the actor of a change', async () => {
  const { browser } = await joinAs(app, 'developer');
  const { response, entries } = await entriesDuring(app, () =>
    browser.api('PATCH', `/v1/users/${userId}`, 'live', { timezone: 'Europe/Paris' }),
  );
  expect(response.status).toBe(200);
  expect(entries).toMatchObject([{ action: 'user.updated', actor: expect.stringMatching(/^operator op_/) }]);
});

describe('a viewer', () => {
  const range = 'start_date=2026-03-01&end_date=2026-03-01';
  const measured = [
    `daily?${range}`,
    `sleep?${range}`,
    `workouts?${range}`,
    'scores',
    `scores/history?types=sleep_score&${range}`,
    `timeseries?types=heart_rate&start_time=2026-03-01T00:00:00Z&end_time=2026-03-02T00:00:00Z`,
    'daily/explain?metric=steps&date=2026-03-01',
  ];

  test.each(measured)('gets no %s of a live user', async (path) => {
    const { browser } = await joinAs(app, 'viewer');
    const { response, entries } = await entriesDuring(app, () =>
      browser.api('GET', `/v1/users/${userId}/${path}`),
    );
    expect(response).toMatchObject({ status: 403, body: { error: 'role_too_low' } });
    expect(entries).toEqual([]);
  });

  test('marks every operation that returns a measured value', () => {
    const marked = Object.entries(access).flatMap(([name, rule]) => (rule.measured ? [name] : []));
    expect(marked.toSorted()).toEqual([
      'explainDaily',
      'explainScore',
      'explainSleep',
      'explainWorkout',
      'getWorkout',
      'listDaily',
      'listScoreHistory',
      'listScores',
      'listSleep',
      'listTimeseries',
      'listWorkouts',
      'previewConsolidation',
    ]);
  });

  // @contract access-records: Viewers see no birth date, sex, height, weight or goals of live users
  test('sees the profile of sandbox users only', async () => {
    const profile = {
      birth_date: '1990-04-12',
      sex: 'female',
      height_cm: 172,
      weight_kg: 64.5,
      max_heart_rate: 190,
      goals: { steps: 9000 },
    };
    const hidden = {
      birth_date: null,
      sex: null,
      height_cm: null,
      weight_kg: null,
      max_heart_rate: null,
      goals: {},
    };
    const { browser } = await joinAs(app, 'viewer');
    const { browser: developer } = await joinAs(app, 'developer');
    for (const environment of ['live', 'sandbox'] as const) {
      const created = await developer.api('POST', '/v1/users', environment, {
        reference_id: `profile-${environment}`,
        profile,
      });
      const path = `/v1/users/${created.body.data.id}`;
      expect((await developer.api('GET', path, environment)).body.data.profile).toEqual(profile);
      const seen = (await browser.api('GET', path, environment)).body.data;
      expect(seen.reference_id).toBe(`profile-${environment}`);
      expect(seen.profile).toEqual(environment === 'live' ? hidden : profile);
    }
  });

  test('makes no changes and creates no user tokens', async () => {
    const { browser } = await joinAs(app, 'viewer');
    for (const environment of ['live', 'sandbox'] as const) {
      const token = await browser.api('POST', '/v1/auth/user-token', environment, { user_id: userId });
      expect(token.body.error).toBe('role_too_low');
      const created = await browser.api('POST', '/v1/users', environment, { reference_id: 'x' });
      expect(created.body.error).toBe('role_too_low');
    }
  });
});

describe('the session of a dashboard user', () => {
  test('is ignored without the header that a form cannot send', async () => {
    const { browser } = await joinAs(app, 'owner');
    const response = await app.request('GET', '/v1/users', {
      key: '',
      headers: { cookie: browser.cookie, origin: app.url },
    });
    expect(response.body.error).toBe('missing_token');
  });

  test.each([
    ['rejects a foreign origin', { origin: 'https://evil.example' }, 'foreign_origin'],
    ['rejects a request from another site', { 'sec-fetch-site': 'cross-site' }, 'foreign_origin'],
    ['rejects an unknown environment', { 'tributary-environment': 'both' }, 'invalid_request'],
    ['requires a session', { cookie: '' }, 'signed_out'],
  ])('%s', async (_name, headers, error) => {
    const { browser } = await joinAs(app, 'owner');
    const response = await app.request('GET', '/v1/users', {
      key: '',
      headers: { cookie: browser.cookie, origin: app.url, 'tributary-environment': 'live', ...headers },
    });
    expect(response.body.error).toBe(error);
  });

  test('cannot call SDK operations', async () => {
    const { browser } = await joinAs(app, 'owner');
    expect((await browser.api('DELETE', '/v1/sdk/sessions/current')).status).toBe(401);
  });

  test('is overridden by an API key in the same request', async () => {
    const { browser } = await joinAs(app, 'owner');
    const stranger = await app.createAccount();
    const response = await app.request('GET', `/v1/users/${userId}`, {
      key: stranger.liveKey,
      headers: { cookie: browser.cookie, origin: app.url, 'tributary-environment': 'live' },
    });
    expect(response.status).toBe(404);
  });

  test('has its own rate limit', async () => {
    const { browser } = await joinAs(app, 'owner');
    const ofKey = (await app.request('GET', '/v1/webhooks')).headers;
    for (const response of [await browser.api('GET', '/v1/webhooks'), await browser.call('GET', '/team')])
      expect(response.headers.get('ratelimit-policy')).toBe('"operator";q=100;w=5');
    expect(ofKey.get('ratelimit-policy')).toBe('"key";q=200;w=2');
  });

  test('streams the feed and is rejected after it ends', async () => {
    const { browser } = await joinAs(app, 'developer');
    const response = await browser.api('GET', '/v1/events/stream');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch('text/event-stream');
    expect((await new TestBrowser(app).api('GET', '/v1/events/stream')).status).toBe(401);
  });
});
