import { onDeviceProviders } from '@tributary/contract';
import { findMetric } from '@tributary/domain';
import { providers } from '@tributary/providers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configureApp } from '../../services/providers/configure-app.ts';
import { testActor } from '../../test/acting.ts';
import { startConnectApp, type ConnectApp } from '../../test/apps/connect-app.ts';

let app: ConnectApp;
beforeAll(async () => {
  app = await startConnectApp();
});
afterAll(() => app[Symbol.asyncDispose]());

interface Listed {
  id: string;
  status: string;
  [field: string]: unknown;
}

const live = () => ({ key: app.account.liveKey });
const idsOf = (list: Listed[]) => list.map(({ id }) => id);
const cloud = providers.map(({ id }) => id);

describe('200', () => {
  test('lists all providers that the lab simulates in the sandbox, with exactly the documented fields', async () => {
    const { status, body } = await app.request('GET', '/v1/providers');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data']);
    expect(idsOf(body.data)).toEqual(cloud);
    for (const listed of body.data) {
      const provider = providers.find(({ id }) => id === listed.id)!;
      expect(listed).toStrictEqual({
        id: provider.id,
        name: provider.name,
        kind: provider.kind,
        categories: expect.any(Array),
        metrics: provider.metrics,
        push: provider.push !== null,
        history_days: provider.historyDays,
        logo_url: `${app.url}/providers/${provider.id}/logo.svg`,
        status: 'available',
      });
      const categories = new Set(provider.metrics.map((metric) => findMetric(metric)?.category));
      expect(new Set(listed.categories), listed.id).toEqual(categories);
    }
  });

  test('lists none in live without a provider app', async () => {
    expect((await app.request('GET', '/v1/providers', live())).body).toStrictEqual({ data: [] });
  });

  test('lists unavailable providers on request, each with the reason', async () => {
    const { body } = await app.request('GET', '/v1/providers?include=unavailable', live());
    expect(body.data.map(({ id, status }: Listed) => [id, status])).toEqual([
      ...cloud.map((id) => [id, 'not_configured']),
      ...onDeviceProviders.map((id) => [id, 'on_device']),
    ]);
    const all = await app.request('GET', '/v1/providers?include=unavailable');
    expect(all.body.data.filter(({ status }: Listed) => status === 'available')).toHaveLength(cloud.length);
  });

  test('makes a provider available in live once it has an app, and returns no secret', async () => {
    await configureApp(app.ctx, testActor, {
      provider: 'oura',
      clientId: 'ours',
      clientSecret: 'hush-hush',
      settings: {},
      force: false,
    });
    const { body } = await app.request('GET', '/v1/providers', live());
    expect(idsOf(body.data)).toEqual(['oura']);
    const all = await app.request('GET', '/v1/providers?include=unavailable', live());
    expect(all.body.data.find(({ id }: Listed) => id === 'oura').status).toBe('available');
    expect(JSON.stringify([body, all.body])).not.toMatch(/hush|ours/);
    await app.admin.query('DELETE FROM provider_apps');
    expect((await app.request('GET', '/v1/providers', live())).body.data).toEqual([]);
  });

  test('lists none in a sandbox without a lab', async () => {
    const { config } = app.ctx;
    (app.ctx as { config: unknown }).config = { ...config, lab: null };
    const { body } = await app.request('GET', '/v1/providers');
    (app.ctx as { config: unknown }).config = config;
    expect(body).toStrictEqual({ data: [] });
  });

  test('returns a logo for each provider that is an image and cannot run scripts', async () => {
    for (const id of [...cloud, ...onDeviceProviders]) {
      const { status, headers, body } = await app.request('GET', `/providers/${id}/logo.svg`, { key: '' });
      expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8']);
      expect(headers.get('content-security-policy')).toBe("default-src 'none'");
      expect(body).toMatch(/^<svg [^<]+<rect [^<]+<text [^<]+<\/text><\/svg>$/);
    }
    for (const id of ['unknown', 'constructor', '__proto__', '..%2Foura'])
      expect((await app.request('GET', `/providers/${id}/logo.svg`, { key: '' })).status, id).toBe(404);
  });
});

test.each(['include=everything', 'include=', 'includes=unavailable', 'include=unavailable&page=1'])(
  'returns 400 for the unknown query ?%s',
  async (query) => {
    const { status, body } = await app.request('GET', `/v1/providers?${query}`);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  },
);

test('returns 401 without a key', async () => {
  const { status, body } = await app.request('GET', '/v1/providers', { key: '' });
  expect([status, body.error]).toEqual([401, 'missing_token']);
});

test('returns 402 while the account is suspended', async () => {
  await app.admin.query(`UPDATE accounts SET status = 'suspended' WHERE id = $1`, [app.account.uuid]);
  app.ctx.credentials.clear();
  const { status, body } = await app.request('GET', '/v1/providers');
  await app.admin.query(`UPDATE accounts SET status = 'active' WHERE id = $1`, [app.account.uuid]);
  app.ctx.credentials.clear();
  expect([status, body.error]).toEqual([402, 'payment_required']);
});

test('returns 403 for a user token', async () => {
  const user_id = await app.createUser();
  const { token } = (await app.request('POST', '/v1/auth/user-token', { body: { user_id } })).body;
  const { status, body } = await app.request('GET', '/v1/providers', { key: token });
  expect([status, body.error]).toEqual([403, 'insufficient_scope']);
});
