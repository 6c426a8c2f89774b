import { setTimeout as sleep } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { sequenceEvents } from '../../store/events/feed.ts';
import { accessDuring, storedAccess } from '../../test/access-records.ts';
import { entriesDuring } from '../../test/audit.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { joinAs } from '../../test/data/operators.ts';
import { createPhoneUser, workThrough } from '../../test/data/uploads.ts';
import { openStream } from '../../test/stream-client.ts';
import { createTestWebhook } from '../../test/webhooks.ts';

let app: TestApp;
let userId: string;
let keyId: string;
/** A value that no other text contains. */
const planted = 71.4375;

beforeAll(async () => {
  app = await startTestApp({ ADDRESS_LIMIT_PER_SECOND: '1000', ADDRESS_LIMIT_BURST: '10000' });
  const user = await createPhoneUser(app, { timezone: 'Europe/Berlin' });
  userId = user.id;
  const daily = [{ metric: 'weight', date: '2026-03-02', value: planted }];
  await user.upload({ id: 'watch-1' }, { daily });
  await workThrough(app);
  // Waits for transactions of other tests.
  while ((await sequenceEvents(app.ctx.operator, '0', 1000)).events === 0) await sleep(50);
  const { rows } = await app.admin.query(
    `SELECT id FROM api_keys WHERE account_id = $1 AND environment = 'live'`,
    [app.account.uuid],
  );
  keyId = formatId('key', rows[0].id);
});
afterAll(() => app[Symbol.asyncDispose]());

const daily = (query = 'start_date=2026-03-01&end_date=2026-03-31') => `/v1/users/${userId}/daily?${query}`;
const get = (path: string, key = app.account.liveKey, headers: Record<string, string> = {}) =>
  app.request('GET', path, { key, headers });

describe('a read with an API key', () => {
  // @contract access-records: Every response with data of a user is recorded: the credential, the user, the operation, the days and the time, never the data
  test('is recorded with its user, operation and days', async () => {
    const before = Date.now();
    const { response, records } = await accessDuring(app, () => get(daily()));
    expect(response.status).toBe(200);
    expect(JSON.stringify(response.body)).toContain('71.4');
    expect(records).toEqual([
      {
        credential: `api_key ${keyId}`,
        user: userId,
        operation: 'listDaily',
        days: ['2026-03-01', '2026-03-31'],
        outcome: 'returned',
      },
    ]);
    const { rows } = await app.admin.query(
      'SELECT at, environment, account_id FROM access_records ORDER BY at',
    );
    expect(rows.at(-1)).toMatchObject({ environment: 'live', account_id: app.account.uuid });
    expect(rows.at(-1).at.getTime()).toBeGreaterThanOrEqual(before);
    expect(rows.at(-1).at.getTime()).toBeLessThanOrEqual(Date.now());
  });

  // @contract access-records: A 304 response and a HEAD request are recorded, too
  test('is recorded when the client has the current response, and for HEAD', async () => {
    const tag = (await get(daily())).headers.get('etag')!;
    const { records } = await accessDuring(app, async () => {
      expect((await get(daily(), undefined, { 'if-none-match': tag })).status).toBe(304);
      expect((await app.request('HEAD', daily())).status).toBe(200);
      // Tagged by its content, after the route.
      const catalogTag = (await get(`/v1/users/${userId}`)).headers.get('etag');
      if (catalogTag) await get(`/v1/users/${userId}`, undefined, { 'if-none-match': catalogTag });
    });
    expect(records.map(({ operation, outcome }) => `${operation} ${outcome}`).slice(0, 2)).toEqual([
      'listDaily not_modified',
      'listDaily headers_only',
    ]);
  });

  test.each([
    ['daily?types=weight&from_date=2026-03-02&to_date=2026-03-04', ['2026-03-02', '2026-03-04']],
    ['daily?types=weight&to_date=2026-03-31', ['2026-03-02', '2026-03-31']],
    ['timeseries?metrics=heart_rate&start_date=2026-03-01&end_date=2026-03-02', ['2026-03-01', '2026-03-02']],
    ['sleep?start_date=2026-03-01&end_date=2026-03-02', ['2026-03-01', '2026-03-02']],
    ['sleep?to_date=2026-03-30', ['2026-03-01', '2026-03-30']],
    ['workouts?from_date=2026-03-01&to_date=2026-03-02', ['2026-03-01', '2026-03-02']],
    ['daily/explain?metric=weight&date=2026-03-02', ['2026-03-02', '2026-03-02']],
    ['devices', null],
    ['consolidation', null],
    ['sdk-sessions', null],
  ])('of %s is recorded with the days %j', async (path, days) => {
    const { response, records } = await accessDuring(app, () => get(`/v1/users/${userId}/${path}`));
    expect(response.status).toBe(200);
    expect(records).toMatchObject([{ user: userId, days, outcome: 'returned' }]);
  });

  test('is recorded with the days that apply without dates', async () => {
    const { response, records } = await accessDuring(app, () =>
      get(`/v1/users/${userId}/daily?types=weight`),
    );
    const { from_date: first, to_date: last } = response.body;
    expect(records).toMatchObject([{ days: [first, last] }]);
  });

  test('is recorded for a preview and for a changed user, which return the data of the user', async () => {
    const { records } = await accessDuring(app, async () => {
      const body = { metrics: { steps: { method: 'sum' } } };
      await app.request('POST', `/v1/users/${userId}/consolidation/preview?to_date=2026-03-30`, { body });
      await app.request('PATCH', `/v1/users/${userId}`, { body: {} });
    });
    expect(records).toMatchObject([
      { operation: 'previewConsolidation', user: userId, days: ['2026-03-01', '2026-03-30'] },
      { operation: 'updateUser', user: userId, days: null },
    ]);
  });

  // @contract access-records: A response that may concern several users has one record without a user
  test('about several users is recorded once, without a user', async () => {
    const { records } = await accessDuring(app, async () => {
      await get('/v1/users');
      await get('/v1/events');
      await get(`/v1/events?user_id=${userId}`);
      await get('/v1/audit');
    });
    expect(records).toMatchObject([
      { operation: 'listUsers', user: null },
      { operation: 'listEvents', user: null },
      { operation: 'listEvents', user: userId },
      { operation: 'listAudit', user: null },
    ]);
  });

  test('of the live stream is recorded when the stream begins', async () => {
    const { records } = await accessDuring(app, async () => {
      const stream = await openStream(app, { query: `?user_id=${userId}` });
      expect(stream.status).toBe(200);
      stream.close();
    });
    expect(records).toMatchObject([{ operation: 'streamEvents', user: userId, outcome: 'returned' }]);
  });

  test('of a delivery is recorded with the user of its event', async () => {
    const webhook = await createTestWebhook(app);
    const sent = await webhook.call('POST', '/test', {});
    const { records } = await accessDuring(app, () =>
      webhook.call('GET', `/deliveries/${sent.body.data.event_id}`),
    );
    expect(records).toMatchObject([{ operation: 'getDelivery', user: null }]);
  });
});

// @contract access-records: Reads with a user token are recorded with the id of the token, and reads in the dashboard with the dashboard user
test('records a read with a user token under the id of the token', async () => {
  const { token } = (await app.request('POST', '/v1/auth/user-token', { body: { user_id: userId } })).body;
  const { records } = await accessDuring(app, () => get(daily(), token));
  expect(records).toMatchObject([
    {
      credential: `user_token ${formatId('tok', decodeJwt(token).jti!)}`,
      user: userId,
      operation: 'listDaily',
    },
  ]);
});

test('records reads in the dashboard, through both APIs, in addition to the audit log', async () => {
  const { browser } = await joinAs(app, 'developer');
  const operator = (await browser.call('GET', '/session')).body.operator.id;
  const samples = `/users/${userId}/samples?environment=live&metric=heart_rate&from=2026-03-01&to=2026-03-02`;
  const event = (await get('/v1/events')).body.events[0].event_id;
  const { response, records } = await accessDuring(app, () =>
    entriesDuring(app, async () => {
      expect((await browser.api('GET', daily())).status).toBe(200);
      expect((await browser.call('GET', samples)).status).toBe(200);
      expect((await browser.call('GET', '/users?environment=live')).status).toBe(200);
      expect((await browser.call('GET', `/events?environment=live&user_id=${userId}`)).status).toBe(200);
      expect((await browser.call('GET', `/events/${event}?environment=live`)).status).toBe(200);
    }),
  );
  expect(records.map(({ credential }) => credential)).toEqual(
    Array.from({ length: 5 }, () => `operator ${operator}`),
  );
  expect(records).toMatchObject([
    { operation: 'listDaily', user: userId, days: ['2026-03-01', '2026-03-31'] },
    { operation: 'getSamples', user: userId, days: ['2026-03-01', '2026-03-02'] },
    { operation: 'listUsers', user: null },
    { operation: 'listEvents', user: userId },
    { operation: 'getEvent', user: userId },
  ]);
  expect(response.entries.map(({ data, target }) => [data['operation'], target])).toEqual(
    ['listDaily', 'getSamples', 'listEvents', 'getEvent'].map((name) => [name, `user ${userId}`]),
  );
});

// @contract access-records: A request that returns no data is not recorded
test('records nothing for requests that return no data of a user', async () => {
  const other = await app.createAccount();
  const { token } = (await app.request('POST', '/v1/auth/user-token', { body: { user_id: userId } })).body;
  const { browser } = await joinAs(app, 'viewer');
  const { records } = await accessDuring(app, async () => {
    const statuses = [
      await get(daily(), 'sk_live_unknown'),
      await get(daily('start_date=2026-03-01')),
      await get(daily(), other.liveKey),
      await get(`/v1/users/${formatId('user', '0193b7e2-5c1f-7d4e-9f5a-3c2b1a0d9e8f')}/daily`, token),
      await browser.api('GET', daily()),
      await get('/v1/metrics'),
      await get('/v1/access-records'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 400, 404, 403, 403, 200, 200]);
  });
  expect(records).toEqual([]);
});

test('records nothing with a retention of 0 days', async () => {
  await using without = await startTestApp({ ACCESS_RECORD_RETENTION_DAYS: '0' });
  expect((await without.request('GET', '/v1/users')).status).toBe(200);
  expect(await storedAccess(without)).toEqual([]);
});

/** Every burst of a rate limit: 200 reads in each environment of an account. */
const accounts = process.env['THOROUGH'] ? 25 : 5;

test('finds every read among thousands, invents none and stores no value', { timeout: 120_000 }, async () => {
  const since = new Date();
  const expected: string[] = [];
  await Promise.all(
    Array.from({ length: accounts }, async () => {
      const account = await app.createAccount();
      for (const key of [account.liveKey, account.sandboxKey]) {
        const created = await app.request('POST', '/v1/users', { key, body: { reference_id: 'one' } });
        const id = created.body.data.id as string;
        for (let at = 1; at < 200; at += 1) {
          const day = `2026-03-${String((at % 28) + 1).padStart(2, '0')}`;
          const response = await get(
            `/v1/users/${id}/daily?types=weight&from_date=${day}&to_date=${day}`,
            key,
          );
          expect(response.status).toBe(200);
          expected.push(`${id} ${day}`);
        }
      }
    }),
  );
  expect(expected).toHaveLength(accounts * 2 * 199);
  const stored = await storedAccess(app, since);
  expect(stored.map(({ user, days }) => `${user} ${days![0]}`).toSorted()).toEqual(expected.toSorted());
});

test('stores no value of any read', async () => {
  await app.ctx.accessRecords.flush();
  const { rows } = await app.admin.query(`SELECT string_agg(r::text, E'\\n') AS text FROM access_records r`);
  expect(rows[0].text).toContain('listDaily');
  expect(rows[0].text).not.toContain('71.4');
});
