import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinAs, type TestBrowser } from '../../test/data/operators.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { insertTestUser } from '../../test/webhooks.ts';

let app: TestApp;
let owner: TestBrowser;
let viewer: TestBrowser;

beforeAll(async () => {
  app = await startTestApp();
  ({ browser: owner } = await joinAs(app, 'owner'));
  ({ browser: viewer } = await joinAs(app, 'viewer'));
});
afterAll(() => app[Symbol.asyncDispose]());

const secret = 'a-secret-that-unknown-sees';
const change = { client_id: 'our-app', client_secret: secret };

async function providerOf(browser: TestBrowser, id: string, environment = 'live') {
  const { body } = await browser.call('GET', `/providers?environment=${environment}`);
  expect(JSON.stringify(body)).not.toContain(secret);
  return {
    ...body.data.find((one: { provider: string }) => one.provider === id),
    may_change: body.may_change,
  };
}

test('owners set and remove provider apps with an audit entry, and secrets are never returned', async () => {
  expect(await providerOf(owner, 'oura')).toMatchObject({
    kind: 'cloud',
    state: 'needs_credentials',
    may_change: true,
    app: {
      is_set: false,
      client_id: null,
      push_url: null,
      callback_url: expect.stringContaining('/connect/callback'),
    },
  });
  expect((await owner.call('PUT', '/providers/oura', change)).status).toBe(204);
  const configured = await providerOf(owner, 'oura');
  expect(configured).toMatchObject({
    state: 'available',
    app: { is_set: true, is_readable: true, client_id: 'our-app' },
  });
  expect(configured.app.push_url).toContain('/push/live/oura/');
  // The push URL contains a secret.
  expect((await providerOf(viewer, 'oura')).app).toMatchObject({ client_id: 'our-app', push_url: null });
  expect((await providerOf(viewer, 'apple_health')).app).toBeNull();
  expect((await owner.call('DELETE', '/providers/oura')).status).toBe(204);
  expect((await providerOf(owner, 'oura')).app.is_set).toBe(false);
  const { rows } = await app.admin.query(
    `SELECT action, actor_type AS actor FROM audit_intake WHERE action LIKE 'provider.%' ORDER BY id`,
  );
  expect(rows).toEqual([
    { action: 'provider.configured', actor: 'operator' },
    { action: 'provider.removed', actor: 'operator' },
  ]);
});

test('returns errors and connection states of one environment', async () => {
  const userId = await insertTestUser(app, app.account);
  const id = crypto.randomUUID();
  await app.insertDevice(userId, { id, provider: 'whoop', status: 'active' });
  await app.admin.query(`UPDATE devices SET sync_state = 'late' WHERE id = $1`, [id]);
  await app.admin.query(
    `INSERT INTO connections (device_id, user_id, account_id, environment, provider, failure) VALUES ($1, $2, $3, 'live', 'whoop', 'limited')`,
    [id, userId, app.account.uuid],
  );
  expect(await providerOf(viewer, 'whoop')).toMatchObject({
    connections: 1,
    by_state: { late: 1, fresh: 0 },
    errors: [{ kind: 'limited', count: { value: 1, more: false } }],
  });
  expect(await providerOf(viewer, 'whoop', 'sandbox')).toMatchObject({ connections: 0, errors: [] });
});

test.each([
  ['an unknown provider', 'PUT', '/providers/unknown', change, 400],
  ['an unknown setting', 'PUT', '/providers/oura', { ...change, settings: { odd: 'x' } }, 400],
  ['a client id with spaces', 'PUT', '/providers/oura', { ...change, client_id: 'a b' }, 400],
  ['a missing secret', 'PUT', '/providers/oura', { client_id: 'a' }, 400],
  ['removal of an app that is not configured', 'DELETE', '/providers/oura', undefined, 400],
])('rejects %s', async (_name, method, path, body, status) => {
  expect((await owner.call(method, path, body)).status).toBe(status);
});

test('only owners change provider apps', async () => {
  const { browser: developer } = await joinAs(app, 'developer');
  for (const browser of [developer, viewer]) {
    expect((await browser.call('PUT', '/providers/oura', change)).body.error).toBe('role_too_low');
    expect((await browser.call('DELETE', '/providers/oura')).body.error).toBe('role_too_low');
  }
});

test('with several accounts, no account changes or sees the shared apps, and counts stay separate', async () => {
  expect((await owner.call('PUT', '/providers/oura', change)).status).toBe(204);
  const other = await app.createAccount();
  const { browser: stranger } = await joinAs(app, 'owner', { accountId: other.uuid });
  for (const [method, body] of [
    ['PUT', change],
    ['DELETE', undefined],
  ] as const) {
    const response = await stranger.call(method, '/providers/oura', body);
    expect(response).toMatchObject({ status: 403, body: { error: 'role_too_low' } });
    expect(response.body.message).toContain(`tributary provider ${method === 'PUT' ? 'set' : 'remove'} oura`);
  }
  expect(await providerOf(stranger, 'oura')).toMatchObject({
    may_change: false,
    app: { is_set: true, client_id: null, push_url: null },
  });
  expect(await providerOf(stranger, 'whoop')).toMatchObject({ connections: 0, errors: [] });
});
