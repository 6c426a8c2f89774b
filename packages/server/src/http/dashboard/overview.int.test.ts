import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinAs, type TestBrowser } from '../../test/data/operators.ts';
import { batchOf, createSdkUser } from '../../test/data/sdk-user.ts';
import { workThrough } from '../../test/data/uploads.ts';
import { createTestWebhook, insertTestUser, setDeliveryState, emitEvents } from '../../test/webhooks.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../test/apps/test-app.ts';

let app: TestApp;
let other: TestAccount;
let browser: TestBrowser;
let stranger: TestBrowser;

beforeAll(async () => {
  app = await startTestApp();
  other = await app.createAccount();
  ({ browser } = await joinAs(app, 'viewer'));
  ({ browser: stranger } = await joinAs(app, 'owner', { accountId: other.uuid }));
});
afterAll(() => app[Symbol.asyncDispose]());

const overview = async (who = browser, environment = 'live') =>
  (await who.call('GET', `/overview?environment=${environment}`)).body;
const kinds = (body: { needs: { kind: string }[] }) => body.needs.map(({ kind }) => kind);

async function insertConnection(userId: string, provider: string, state: string, account = app.account) {
  const id = randomUUID();
  await app.insertDevice(userId, { id, provider, status: 'active' });
  await app.admin.query('UPDATE devices SET sync_state = $2 WHERE id = $1', [id, state]);
  await app.admin.query(
    `INSERT INTO connections (device_id, user_id, account_id, environment, provider, tokens, last_news_at)
     VALUES ($1, $2, $3, 'live', $4, 'x', now())`,
    [id, userId, account.uuid, provider],
  );
  return id;
}

describe('GET /dashboard/api/overview', () => {
  test('shows only the first steps for a new account', async () => {
    const body = await overview();
    expect(kinds(body)).toEqual(['no_authenticator', 'roster_not_configured']);
    expect(body.first_run).toEqual({ has_key: true, has_key_used: false, has_user: false, has_data: false });
    expect(body.tiles.accepted).toMatchObject({ total: 0 });
    for (const tile of ['accepted', 'delivered', 'events']) expect(body.tiles[tile].hours).toHaveLength(24);
    expect(body.tiles.fresh.share).toBeNull();
    expect(body.providers.length).toBeGreaterThan(3);
  });

  test('counts accepted data in the current hour and in the first steps', async () => {
    const user = await createSdkUser(app);
    const start = new Date(Date.now() - 600_000).toISOString();
    const series = (...values: number[]) => [{ metric: 'heart_rate', start, interval_seconds: 5, values }];
    const batch = batchOf({ series: series(61, 62, 63) });
    expect((await user.upload(batch)).status).toBe(202);
    await workThrough(app);
    expect((await user.receipt(batch.batch_id)).body.status).toBe('processed');
    const { tiles, first_run } = await overview();
    expect(tiles.accepted.total).toBe(3);
    expect(tiles.accepted.hours.at(-1).values + tiles.accepted.hours.at(-2).values).toBe(3);
    expect(first_run).toEqual({ has_key: true, has_key_used: true, has_user: true, has_data: true });
    const foreign = await overview(stranger);
    expect(foreign.tiles.accepted.total).toBe(0);
    expect(foreign.first_run.has_data).toBe(false);
    expect((await overview(browser, 'sandbox')).first_run.has_user).toBe(false);
    // An hour slot of the previous day is reused.
    await app.admin.query(`UPDATE accepted_hours SET hour = hour - interval '1 day'`);
    expect((await overview()).tiles.accepted.total).toBe(0);
    await user.upload(batchOf({ series: series(99) }));
    await workThrough(app);
    expect((await overview()).tiles.accepted.total).toBe(1);
  });

  test('reports an expiring key, dead letters, silent devices and ended consents', async () => {
    const userId = await insertTestUser(app, app.account);
    await app.admin.query(
      `UPDATE api_keys SET expires_at = now() + interval '3 days 1 hour' WHERE account_id = $1 AND environment = 'live'`,
      [app.account.uuid],
    );
    await app.admin.query(
      `INSERT INTO dead_letters (user_id, batch_id, attempts, reason) VALUES ($1, gen_random_uuid(), 8, 'x')`,
      [userId],
    );
    await insertConnection(userId, 'oura', 'silent');
    await insertConnection(userId, 'whoop', 'fresh');
    const ended = await insertConnection(userId, 'withings', 'fresh');
    await app.admin.query('UPDATE connections SET tokens = NULL WHERE device_id = $1', [ended]);
    await app.admin.query(`UPDATE devices SET status = 'expired', sync_state = 'revoked' WHERE id = $1`, [
      ended,
    ]);
    const { needs, tiles, providers } = await overview();
    const need = (kind: string) => needs.find((one: { kind: string }) => one.kind === kind);
    expect(need('key_ending').detail).toMatchObject({ days_left: 3 });
    expect(need('dead_letters').count).toEqual({ value: 1, more: false });
    expect(need('devices_silent').count).toEqual({ value: 1, more: false });
    expect(need('provider_refusing')).toMatchObject({
      subject: { id: 'withings' },
      count: { value: 1, more: false },
      since: expect.any(String),
    });
    expect(tiles.fresh).toEqual({ share: 0.5, fresh: 1, late: 0, silent: 1, ended: 1 });
    const provider = (id: string) => providers.find((one: { provider: string }) => one.provider === id);
    expect(provider('whoop')).toMatchObject({
      connections: 1,
      affected: 0,
      newest_data_at: expect.any(String),
    });
    expect(provider('withings')).toMatchObject({ connections: 0, affected: 1 });
    expect(provider('apple_health')).toMatchObject({ kind: 'on_device', connections: 1, state: 'working' });

    const foreign = await overview(stranger);
    expect(kinds(foreign)).toEqual(['no_authenticator', 'roster_not_configured']);
    expect(foreign.tiles.fresh).toEqual({ share: null, fresh: 0, late: 0, silent: 0, ended: 0 });
    expect(foreign.providers.every((one: { connections: number }) => one.connections === 0)).toBe(true);
    // Consents that ended more than a week ago are not reported.
    await app.admin.query(
      `UPDATE connections SET ended_at = now() - interval '8 days' WHERE ended_at IS NOT NULL`,
    );
    expect(kinds(await overview())).not.toContain('provider_refusing');
  });

  test("reports how much of a provider's rate limit is used", async () => {
    const limitOf = async () =>
      (await overview()).providers.find((one: { provider: string }) => one.provider === 'oura').limit_used;
    expect(await limitOf()).toBe(0);
    await app.admin.query(
      `INSERT INTO provider_limits (environment, provider, subject, rule, arrival_at) VALUES ('live', 'oura', '', -1, now() + interval '1 minute')`,
    );
    expect(await limitOf()).toBe(1);
  });

  test.each(['/overview', '/overview?environment=live&more=1'])('returns 400 for %s', async (path) => {
    expect((await browser.call('GET', path)).status).toBe(400);
  });
});

describe('GET /dashboard/api/webhooks', () => {
  test("returns deliveries per hour, the backlog and the last response of one account's webhooks", async () => {
    const userId = await insertTestUser(app, app.account);
    // Flushes events of the previous tests so that the webhook does not receive them.
    await emitEvents(app, app.account, userId, ['device.connected']);
    const webhook = await createTestWebhook(app);
    await createTestWebhook(app, {}, other.liveKey);
    const events = await emitEvents(app, app.account, userId, [
      'device.connected',
      'data.updated',
      'data.updated',
      'data.updated',
      'data.updated',
    ]);
    const attempt = (second: number, status: number | null, error: string | null = null) => ({
      at: `2026-03-02T07:14:0${second}.000Z`,
      status,
      error,
      milliseconds: 1,
    });
    await setDeliveryState(app, webhook, events.slice(0, 2), 'succeeded', { attempts: [attempt(1, 200)] });
    await setDeliveryState(app, webhook, events.slice(2, 3), 'succeeded', {
      attempts: [attempt(1, 500), attempt(2, 200)],
    });
    await setDeliveryState(app, webhook, events.slice(3, 4), 'pending', { attempts: [attempt(5, 503)] });
    const { body } = await browser.call('GET', '/webhooks?environment=live');
    expect(body.data).toHaveLength(1);
    const [health] = body.data;
    expect(health).toMatchObject({
      id: webhook.id,
      approximate: false,
      waiting: { value: 2, more: false },
      oldest_waiting_at: expect.any(String),
      last_response: { status: 503, at: '2026-03-02T07:14:05.000Z', error: null },
    });
    const sum = (field: string) =>
      health.hours.reduce((total: number, hour: Record<string, number>) => total + hour[field]!, 0);
    expect([health.hours.length, sum('delivered'), sum('failed')]).toEqual([24, 3, 1]);

    const { tiles } = await overview();
    const total = (tile: string, field: string) =>
      tiles[tile].hours.reduce((all: number, hour: Record<string, number>) => all + hour[field]!, 0);
    expect(['first', 'later', 'failed'].map((field) => total('delivered', field))).toEqual([2, 1, 1]);
    expect(tiles.delivered.total).toBe(3);
    const typeCounts = tiles.events.hours.flatMap(({ types }: { types: object }) => Object.entries(types));
    expect(typeCounts).toContainEqual(['data.updated', expect.any(Number)]);
    expect(tiles.events.total).toBe(total('events', 'count'));
    expect((await overview(stranger)).tiles.events.total).toBe(0);
    expect((await browser.call('GET', '/webhooks?environment=sandbox')).body.data).toEqual([]);
  });

  test('lists failing and disabled webhooks as needing attention', async () => {
    const failing = await createTestWebhook(app, { url: 'https://example.com/failing' });
    const disabled = await createTestWebhook(app, { url: 'https://example.com/gone' });
    await app.admin.query('UPDATE webhooks SET failing_since = now() WHERE id = $1', [failing.uuid]);
    await app.admin.query(`UPDATE webhooks SET status = 'disabled', disabled_reason = 'gone' WHERE id = $1`, [
      disabled.uuid,
    ]);
    const { needs } = await overview();
    expect(needs.slice(0, 2)).toMatchObject([
      { kind: 'webhook_disabled', subject: { id: disabled.id }, detail: { reason: 'gone' } },
      { kind: 'webhook_failing', subject: { id: failing.id, name: 'https://example.com/failing' } },
    ]);
    expect(kinds(await overview(stranger))).not.toContain('webhook_failing');
  });
});

test('requires a session', async () => {
  for (const path of ['/overview', '/webhooks'])
    expect((await browser.call('GET', `${path}?environment=live`, undefined, { cookie: '' })).status).toBe(
      401,
    );
});
