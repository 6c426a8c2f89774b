import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../../ids.ts';
import { updateAccount } from '../../../services/accounts/update-account.ts';
import { openSigningSecret } from '../../../services/webhooks/signing-secret.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../../test/apps/test-app.ts';
import { createTestWebhook, insertTestUser, emitEvents, type TestWebhook } from '../../../test/webhooks.ts';
import { testActor } from '../../../test/acting.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const url = 'https://example.com/hooks';
const post = (body: unknown, key = app.account.liveKey) => app.request('POST', '/v1/webhooks', { key, body });
const list = (key = app.account.liveKey) => app.request('GET', '/v1/webhooks', { key });

async function stored({ uuid }: TestWebhook) {
  const { rows } = await app.admin.query('SELECT * FROM webhooks WHERE id = $1', [uuid]);
  return rows[0];
}

/** Disables a webhook as the dispatchers do when it is gone or keeps failing. */
async function disable({ uuid }: TestWebhook, reason: 'gone' | 'failing') {
  await app.admin.query(
    `UPDATE webhooks SET status = 'disabled', disabled_reason = $2, failing_since = now() WHERE id = $1`,
    [uuid, reason],
  );
}

async function deliveriesOf({ uuid }: TestWebhook): Promise<string[]> {
  const { rows } = await app.admin.query(
    'SELECT event_id FROM deliveries WHERE webhook_id = $1 ORDER BY position',
    [uuid],
  );
  return rows.map(({ event_id }) => formatId('evt', event_id));
}

describe('POST 201', () => {
  // @contract webhooks: A webhook has `id`, `url`, `events`, `status`, `created_at`, and only in the list `last_delivery_at`
  // @contract webhooks: `POST /v1/webhooks` registers an endpoint, which receives events by HTTP POST
  test('returns the webhook with its secret, active and with a batch window of one second', async () => {
    const response = await post({ url, events: ['data.updated', 'user.deleted'] });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      data: {
        id: expect.stringMatching(/^wh_[0-9a-z]{26}$/),
        url,
        events: ['data.updated', 'user.deleted'],
        status: 'active',
        disabled_reason: null,
        coalesce_seconds: 1,
        rate_limit: null,
        created_at: expect.stringMatching(/Z$/),
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    });
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('accepts every setting and ignores unknown fields', async () => {
    const settings = { status: 'inactive', coalesce_seconds: 900, rate_limit: 1000 };
    const { body } = await post({ url, events: ['*'], ...settings, name: 'mine', id: 'wh_x' });
    expect(body.data).toMatchObject({ events: ['*'], ...settings });
    expect(Object.keys(body.data)).not.toContain('name');
  });

  test.each([
    [
      ['data.updated', 'score.updated', 'data.updated'],
      ['data.updated', 'score.updated'],
    ],
    // @contract webhooks: Unknown or empty `events` are 400; `*` means all, and repeated events count once
    [['data.updated', '*', 'score.updated'], ['*']],
    [['*', '*'], ['*']],
  ])('reduces events %j to %j', async (events, folded) => {
    expect((await post({ url, events })).body.data.events).toEqual(folded);
  });

  test('normalizes the URL', async () => {
    const { body } = await post({ url: 'HTTPS://EXAMPLE.com:443/a/../b?x=1', events: ['*'] });
    expect(body.data.url).toBe('https://example.com/b?x=1');
  });

  // @contract webhooks: Creation is not idempotent
  test('is not idempotent: each request creates an ID and a secret', async () => {
    const [one, two] = [await createTestWebhook(app), await createTestWebhook(app)];
    expect(one.id).not.toBe(two.id);
    expect(one.secret).not.toBe(two.secret);
  });

  // @contract webhooks: The secret is returned once and stored encrypted
  test('encrypts the secret, bound to its row, and never returns it again', async () => {
    const [webhook, other] = [await createTestWebhook(app), await createTestWebhook(app)];
    const { secret } = await stored(webhook);
    const bytes = Buffer.from(webhook.secret.slice('whsec_'.length), 'base64');
    expect(bytes).toHaveLength(32);
    expect(secret.includes(bytes)).toBe(false);
    expect(openSigningSecret(app.ctx.keyring, webhook.uuid, secret)).toEqual(bytes);
    expect(() => openSigningSecret(app.ctx.keyring, other.uuid, secret)).toThrow();
    for (const response of [
      await list(),
      await webhook.call('GET'),
      await webhook.call('PATCH', '', { rate_limit: 5 }),
    ])
      expect(JSON.stringify(response.body)).not.toMatch(/secret|whsec_/);
  });
});

describe('POST 400', () => {
  test.each([
    [{ events: ['*'] }, 'url'],
    [{ url }, 'events'],
    // @contract webhooks: Unknown or empty `events` are 400; `*` means all, and repeated events count once
    [{ url, events: [] }, 'events'],
    [{ url, events: 'data.updated' }, 'events'],
    // @contract webhooks: Unknown or empty `events` are 400; `*` means all, and repeated events count once
    [{ url, events: ['data.deleted'] }, 'events.0'],
    [{ url, events: [null] }, 'events.0'],
    [{ url, events: Array.from({ length: 21 }, () => '*') }, 'events'],
    [{ url: '', events: ['*'] }, 'url'],
    [{ url: 7, events: ['*'] }, 'url'],
    [{ url, events: ['*'], status: 'disabled' }, 'status'],
    [{ url, events: ['*'], coalesce_seconds: 901 }, 'coalesce_seconds'],
    [{ url, events: ['*'], coalesce_seconds: -1 }, 'coalesce_seconds'],
    [{ url, events: ['*'], coalesce_seconds: 0.5 }, 'coalesce_seconds'],
    [{ url, events: ['*'], rate_limit: 0 }, 'rate_limit'],
    [{ url, events: ['*'], rate_limit: 1001 }, 'rate_limit'],
  ])('%j', async (body, name) => {
    const response = await post(body);
    expect(response).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(response.body.details.fields[0]).toMatchObject({ in: 'body', name });
  });

  test('rejects a URL of more than 2,048 characters', async () => {
    const long = `https://example.com/${'x'.repeat(2048)}`;
    const response = await post({ url: long, events: ['*'] });
    expect(response).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test.each([
    // @contract webhooks: A URL that is not public or not https is 400 `invalid_url`
    'http://example.com/hooks',
    'https://127.0.0.9/hooks',
    'https://10.1.2.3/hooks',
    'https://[::ffff:10.1.2.3]/hooks',
    // @contract webhooks: A URL that is not public or not https is 400 `invalid_url`
    'https://169.254.169.254/latest/meta-data',
    'https://0x0a010203/hooks',
    'https://printer.local/hooks',
    'https://user:pass@example.com/hooks',
    'ftp://example.com/hooks',
    'example.com',
  ])('invalid_url: %s', async (bad) => {
    const webhook = await createTestWebhook(app);
    for (const response of [
      await post({ url: bad, events: ['*'] }),
      await webhook.call('PATCH', '', { url: bad }),
    ]) {
      expect(response).toMatchObject({ status: 400, body: { error: 'invalid_url' } });
      expect(response.body.details.fields).toEqual([
        { in: 'body', name: 'url', problem: response.body.message },
      ]);
    }
    expect((await webhook.call('GET')).body.data.url).toBe(url);
  });
});

// @contract webhooks: An environment can have 100 webhooks; the next one is 409 _(addition)_
test('POST 409: allows a hundred webhooks in an environment, also for concurrent requests', async () => {
  const account = await app.createAccount();
  await app.admin.query(
    `INSERT INTO webhooks (id, account_id, environment, url, events, coalesce_seconds, secret, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'live', 'https://example.com', '{*}', 1, 'x', now(), now() FROM generate_series(1, 96)`,
    [account.uuid],
  );
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => post({ url, events: ['*'] }, account.liveKey)),
  );
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 201, 409, 409, 409, 409]);
  expect(responses.find(({ status }) => status === 409)!.body).toMatchObject({
    error: 'webhook_limit_reached',
    details: { limit: 100 },
  });
  expect((await list(account.liveKey)).body.data).toHaveLength(100);
  expect((await post({ url, events: ['*'] }, account.sandboxKey)).status).toBe(201);
  const [first] = (await list(account.liveKey)).body.data;
  await app.request('DELETE', `/v1/webhooks/${first.id}`, { key: account.liveKey });
  expect((await post({ url, events: ['*'] }, account.liveKey)).status).toBe(201);
});

describe('GET 200', () => {
  // @contract webhooks: `GET /v1/webhooks` returns 200 with all webhooks in `data`
  test('lists all webhooks of the environment, oldest first, with the time of the last delivery', async () => {
    const account = await app.createAccount();
    expect((await list(account.liveKey)).body).toEqual({ data: [] });
    const one = await createTestWebhook(app, {}, account.liveKey);
    const two = await createTestWebhook(app, {}, account.liveKey);
    const ofSandbox = await createTestWebhook(app, {}, account.sandboxKey);
    await app.admin.query(`UPDATE webhooks SET last_delivery_at = '2026-03-02T07:14:31Z' WHERE id = $1`, [
      two.uuid,
    ]);
    const { body } = await list(account.liveKey);
    const { data: shown } = (await one.call('GET')).body;
    expect(body.data).toEqual([
      { ...shown, last_delivery_at: null },
      { ...shown, id: two.id, created_at: expect.any(String), last_delivery_at: '2026-03-02T07:14:31.000Z' },
    ]);
    const sandbox = await list(account.sandboxKey);
    expect(sandbox.body.data.map(({ id }: { id: string }) => id)).toEqual([ofSandbox.id]);
  });

  // @contract webhooks: A webhook has `id`, `url`, `events`, `status`, `created_at`, and only in the list `last_delivery_at`
  test('returns one webhook without the time of the last delivery', async () => {
    const webhook = await createTestWebhook(app, { events: ['data.updated'] });
    const response = await webhook.call('GET');
    expect(response).toMatchObject({
      status: 200,
      body: { data: { id: webhook.id, events: ['data.updated'] } },
    });
    expect(response.body.data).not.toHaveProperty('last_delivery_at');
  });
});

describe('PATCH 200', () => {
  // @contract webhooks: `PATCH` changes the URL, events or active status, and returns 200 with the webhook in `data`
  test('changes only the given settings', async () => {
    const webhook = await createTestWebhook(app, { events: ['data.updated'], rate_limit: 7 });
    const before = (await webhook.call('GET')).body.data;
    for (const change of [
      { url: 'https://example.org/v2' },
      { events: ['score.updated'] },
      { coalesce_seconds: 0 },
      { rate_limit: 9 },
      { rate_limit: null },
      { status: 'inactive' },
    ]) {
      const response = await webhook.call('PATCH', '', change);
      Object.assign(before, change);
      expect(response).toMatchObject({ status: 200, body: { data: before } });
      expect((await webhook.call('GET')).body.data).toEqual(before);
    }
  });

  test('normalizes events as creation does', async () => {
    const webhook = await createTestWebhook(app);
    const { body } = await webhook.call('PATCH', '', { events: ['user.deleted', 'user.deleted'] });
    expect(body.data.events).toEqual(['user.deleted']);
  });

  test.each([
    // @contract webhooks: `PATCH` changes the URL, events or active status, and returns 200 with the webhook in `data`
    [{ active: false }, 'inactive'],
    [{ active: true }, 'active'],
    [{ active: false, status: 'inactive' }, 'inactive'],
  ])('%j sets %s', async (body, status) => {
    const webhook = await createTestWebhook(app);
    expect((await webhook.call('PATCH', '', body)).body.data.status).toBe(status);
  });

  // @contract webhooks: A webhook that the service disabled states the reason, and starts fresh when it is reactivated
  test.each(['gone', 'failing'] as const)(
    'reactivates after %s with its failure state reset',
    async (reason) => {
      const webhook = await createTestWebhook(app);
      await disable(webhook, reason);
      expect((await webhook.call('GET')).body.data).toMatchObject({
        status: 'disabled',
        disabled_reason: reason,
      });
      await webhook.call('PATCH', '', { rate_limit: 5 });
      expect((await webhook.call('GET')).body.data).toMatchObject({
        status: 'disabled',
        disabled_reason: reason,
      });
      const { body } = await webhook.call('PATCH', '', { active: true });
      expect(body.data).toMatchObject({ status: 'active', disabled_reason: null });
      expect(await stored(webhook)).toMatchObject({ disabled_reason: null, failing_since: null });
    },
  );

  test('gives a new URL its own five days, but not the same URL or other changes', async () => {
    const webhook = await createTestWebhook(app);
    await app.admin.query('UPDATE webhooks SET failing_since = now() WHERE id = $1', [webhook.uuid]);
    await webhook.call('PATCH', '', { url, active: true, events: ['*'] });
    expect((await stored(webhook)).failing_since).not.toBeNull();
    await webhook.call('PATCH', '', { url: 'https://example.com/v2' });
    expect((await stored(webhook)).failing_since).toBeNull();
  });

  // @contract webhooks: While a webhook is inactive, pending deliveries are held and no new ones are queued; deliveries resume when it is reactivated
  test('queues nothing new while inactive and holds pending deliveries', async () => {
    const account = await app.createAccount();
    const userId = await insertTestUser(app, account);
    const webhook = await createTestWebhook(app, { events: ['score.updated'] }, account.liveKey);
    const [before] = await emitEvents(app, account, userId, ['score.updated', 'data.updated']);
    await webhook.call('PATCH', '', { status: 'inactive' });
    const response = await webhook.call('GET', '/deliveries');
    expect(response.body.data).toMatchObject([
      { event_id: before, status: 'pending', held: true, next_attempt_at: null },
    ]);
    await emitEvents(app, account, userId, ['score.updated']);
    await webhook.call('PATCH', '', { status: 'active' });
    const [after] = await emitEvents(app, account, userId, ['score.updated']);
    expect(await deliveriesOf(webhook)).toEqual([before, after]);
    const { body } = await webhook.call('GET', '/deliveries');
    expect(body.data).toMatchObject([{ held: false }, { held: false, next_attempt_at: expect.any(String) }]);
  });
});

describe('PATCH 400', () => {
  test.each([
    [{}, ''],
    [{ name: 'nothing that is known' }, ''],
    [{ active: true, status: 'inactive' }, 'active'],
    [{ active: 'yes' }, 'active'],
    [{ status: 'disabled' }, 'status'],
    [{ events: [] }, 'events'],
    [{ events: ['nothing'] }, 'events.0'],
    [{ coalesce_seconds: 901 }, 'coalesce_seconds'],
    [{ rate_limit: 0 }, 'rate_limit'],
    [{ url: null }, 'url'],
  ])('%j', async (body, name) => {
    const webhook = await createTestWebhook(app);
    const response = await webhook.call('PATCH', '', body);
    expect(response).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(response.body.details.fields[0].name).toBe(name);
  });
});

describe('DELETE 204', () => {
  // @contract webhooks: `DELETE` removes it and cancels pending deliveries
  test('deletes the webhook with its secrets and URL, and returns 404 the second time', async () => {
    const account = await app.createAccount();
    const webhook = await createTestWebhook(app, {}, account.liveKey);
    await webhook.call('POST', '/rotate-secret');
    expect(await webhook.call('DELETE')).toMatchObject({ status: 204, body: '' });
    expect(await stored(webhook)).toMatchObject({
      status: 'deleted',
      url: '',
      secret: Buffer.alloc(0),
      previous_secret: null,
      previous_secret_until: null,
    });
    expect((await list(account.liveKey)).body.data).toEqual([]);
    for (const [method, path, body] of [
      ['DELETE'],
      ['GET'],
      ['PATCH', '', { active: true }],
      ['POST', '/rotate-secret'],
      ['GET', '/deliveries'],
    ] as const)
      expect(await webhook.call(method, path, body)).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      });
  });

  test('cancels pending deliveries', async () => {
    const account = await app.createAccount();
    const webhook = await createTestWebhook(app, {}, account.liveKey);
    await webhook.call('DELETE');
    await emitEvents(app, account, randomUUID(), ['score.updated']);
    expect(await deliveriesOf(webhook)).toEqual([]);
  });

  // @contract webhooks: Deletion works while the account is suspended; all other operations are 402
  test('works while the account is suspended, unlike all other operations', async () => {
    const account = await app.createAccount();
    const webhook = await createTestWebhook(app, {}, account.liveKey);
    await updateAccount(app.ctx, testActor, account.uuid, { status: 'suspended' });
    app.ctx.credentials.clear();
    for (const response of [
      await list(account.liveKey),
      await post({ url, events: ['*'] }, account.liveKey),
      await webhook.call('GET'),
      await webhook.call('PATCH', '', { active: true }),
      await webhook.call('POST', '/rotate-secret'),
    ])
      expect(response).toMatchObject({ status: 402, body: { error: 'payment_required' } });
    expect((await webhook.call('DELETE')).status).toBe(204);
  });
});

describe('rotate-secret', () => {
  const dayMs = 24 * 3_600_000;
  const opened = async (webhook: TestWebhook) => {
    const { secret, previous_secret: previous } = await stored(webhook);
    return [secret, previous].map(
      (sealed) =>
        sealed && `whsec_${openSigningSecret(app.ctx.keyring, webhook.uuid, sealed).toString('base64')}`,
    );
  };

  // @contract webhooks: Two secrets are valid for 24 hours after `rotate-secret` _(addition)_
  test('200: returns the new secret, and signs with the previous one for a day', async () => {
    const webhook = await createTestWebhook(app);
    expect(await opened(webhook)).toEqual([webhook.secret, null]);
    const response = await webhook.call('POST', '/rotate-secret');
    expect(response).toMatchObject({
      status: 200,
      body: {
        data: {
          id: webhook.id,
          secret: expect.stringMatching(/^whsec_/),
          previous_secret_valid_until: expect.stringMatching(/Z$/),
        },
      },
    });
    const { secret, previous_secret_valid_until: until } = response.body.data;
    expect(Math.abs(Date.parse(until) - Date.now() - dayMs)).toBeLessThan(60_000);
    expect(await opened(webhook)).toEqual([secret, webhook.secret]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  // @contract webhooks: Two secrets are valid for 24 hours after `rotate-secret` _(addition)_
  test('keeps the newest two secrets after two rotations', async () => {
    const webhook = await createTestWebhook(app);
    const first = (await webhook.call('POST', '/rotate-secret')).body.data.secret;
    const second = (await webhook.call('POST', '/rotate-secret')).body.data.secret;
    expect(new Set([webhook.secret, first, second]).size).toBe(3);
    expect(await opened(webhook)).toEqual([second, first]);
  });
});

describe('access', () => {
  const paths = ['', '/deliveries', `/deliveries/${formatId('evt', randomUUID())}`];
  const posts = [
    ['/rotate-secret', undefined],
    ['/test', {}],
    ['/recover', { since: '2026-01-01T00:00:00Z' }],
    [`/deliveries/${formatId('evt', randomUUID())}/resend`, undefined],
  ] as const;

  async function callAll(id: string, key: string) {
    const at = `/v1/webhooks/${id}`;
    const responses = [];
    for (const path of paths) responses.push(await app.request('GET', at + path, { key }));
    for (const [path, body] of posts) responses.push(await app.request('POST', at + path, { key, body }));
    responses.push(await app.request('PATCH', at, { key, body: { active: false } }));
    responses.push(await app.request('DELETE', at, { key }));
    return responses;
  }

  // @contract webhooks: A webhook belongs to exactly one environment; a webhook of another environment is 404
  test('404: a webhook of another account or environment, an unknown one, a malformed ID', async () => {
    const other: TestAccount = await app.createAccount();
    const { id } = await createTestWebhook(app);
    const before = (await app.request('GET', `/v1/webhooks/${id}`)).body;
    for (const [requestedId, key] of [
      [id, other.liveKey],
      [id, app.account.sandboxKey],
      [formatId('wh', randomUUID()), app.account.liveKey],
      ['wh_1', app.account.liveKey],
      [id.toUpperCase(), app.account.liveKey],
      [id.replace('wh_', 'user_'), app.account.liveKey],
    ] as const)
      for (const response of await callAll(requestedId, key)) {
        expect(response).toMatchObject({ status: 404, body: { error: 'not_found' } });
        expect(response.body.message).toContain(requestedId);
      }
    expect((await app.request('GET', `/v1/webhooks/${id}`)).body).toEqual(before);
  });

  // @contract webhooks: Managing webhooks requires an API key: a user token is 403 `insufficient_scope`
  test('403: user tokens; 401: no credential', async () => {
    const { id } = await createTestWebhook(app);
    const user = await app.request('POST', '/v1/users', { body: { external_ref: randomUUID() } });
    const { body } = await app.request('POST', '/v1/auth/user-token', { body: { user_id: user.body.id } });
    for (const response of [
      ...(await callAll(id, body.token)),
      await list(body.token),
      await post({}, body.token),
    ])
      expect(response).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
    for (const response of [...(await callAll(id, '')), await list(''), await post({}, '')])
      expect(response).toMatchObject({ status: 401, body: { error: 'missing_token' } });
  });
});
