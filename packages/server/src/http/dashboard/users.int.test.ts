import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../ids.ts';
import { joinAs, type TestBrowser } from '../../test/data/operators.ts';
import { createTestWebhook, emitEvents } from '../../test/webhooks.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../test/apps/test-app.ts';

let app: TestApp;
let other: TestAccount;
let browser: TestBrowser;
/** UUIDs by reference. */
const users = new Map<string, string>();

beforeAll(async () => {
  app = await startTestApp();
  other = await app.createAccount();
  ({ browser } = await joinAs(app, 'viewer'));
  for (const reference of ['ann-1', 'ann-2', 'ann-3', 'ben', 'Ann-4', 'änne', 'going'])
    users.set(reference, await insertUser(app.account, reference));
  await insertUser(other, 'ann-foreign');
  await insertUser(app.account, 'ann-sandbox', 'sandbox');
  await app.insertDevice(users.get('ann-1')!, {
    id: randomUUID(),
    provider: 'apple_health',
    status: 'active',
  });
  await app.insertDevice(users.get('ann-2')!, { id: randomUUID(), provider: 'oura', status: 'expired' });
  await app.insertDevice(users.get('ann-2')!, { id: randomUUID(), provider: 'whoop', status: 'active' });
  await app.admin.query(`UPDATE users SET status = 'deleting' WHERE id = $1`, [users.get('going')]);
});
afterAll(() => app[Symbol.asyncDispose]());

async function insertUser(account: TestAccount, reference: string, environment = 'live'): Promise<string> {
  const id = app.ctx.newId();
  await app.admin.query(
    `INSERT INTO users (id, account_id, environment, reference_id, timezone) VALUES ($1, $2, $3, $4, 'Europe/Vienna')`,
    [id, account.uuid, environment, reference],
  );
  return id;
}

const list = (query: string) => browser.call('GET', `/users?environment=live${query}`);
const references = (body: { data: { reference_id: string }[] }) =>
  body.data.map(({ reference_id }) => reference_id);

describe('GET /dashboard/api/users', () => {
  test('lists the users of one account and environment, newest first, with their counts', async () => {
    const { status, body } = await list('');
    expect(status).toBe(200);
    expect(references(body)).toEqual(['änne', 'Ann-4', 'ben', 'ann-3', 'ann-2', 'ann-1']);
    expect(body.data[4]).toEqual({
      id: formatId('user', users.get('ann-2')!),
      reference_id: 'ann-2',
      status: 'active',
      timezone: 'Europe/Vienna',
      devices: 2,
      not_syncing: 1,
      has_scores: false,
      last_sync_at: null,
      created_at: expect.any(String),
    });
    expect(body.counts).toEqual({
      all: { value: 6, more: false },
      not_syncing: { value: 1, more: false },
      no_device: { value: 4, more: false },
      deleting: { value: 1, more: false },
    });
    expect(body.next_cursor).toBeNull();
    const sandbox = await browser.call('GET', '/users?environment=sandbox');
    expect(references(sandbox.body)).toEqual(['ann-sandbox']);
  });

  test.each([
    ['filter=not_syncing', ['ann-2']],
    ['filter=no_device', ['Ann-4', 'ann-3', 'ben', 'änne']],
    ['filter=deleting', ['going']],
    ['search=ann', ['ann-1', 'ann-2', 'ann-3']],
    ['search=Ann', ['Ann-4']],
    ['search=%C3%A4', ['änne']],
    ['search=ann&filter=no_device', ['ann-3']],
    ['search=ann-foreign', []],
    ['search=%25', []],
  ])('filters by %s', async (query, expected) => {
    expect(references((await list(`&${query}`)).body)).toEqual(expected);
  });

  test('finds a user by id, including a user being deleted, but none of another account', async () => {
    for (const reference of ['ben', 'going']) {
      const id = formatId('user', users.get(reference)!);
      expect(references((await list(`&search=${id}`)).body)).toEqual([reference]);
    }
    const { rows } = await app.admin.query(`SELECT id FROM users WHERE reference_id = 'ann-foreign'`);
    expect((await list(`&search=${formatId('user', rows[0].id)}`)).body.data).toEqual([]);
  });

  test.each(['', '&search=ann', '&filter=no_device'])('cursors return every user once: %s', async (query) => {
    const whole = references((await list(query)).body);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await list(`${query}&limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...references(body));
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(whole);
  });

  test('rejects a cursor of another list', async () => {
    const { body } = await list('&search=ann&limit=1');
    const elsewhere = await list(`&search=a&limit=1&cursor=${body.next_cursor}`);
    expect(elsewhere).toMatchObject({ status: 400, body: { error: 'invalid_cursor' } });
  });

  test.each([
    '/users',
    '/users?environment=test',
    '/users?environment=live&limit=101',
    '/users?environment=live&filter=odd',
  ])('rejects %s', async (path) => expect((await browser.call('GET', path)).status).toBe(400));

  test('keeps counts current as devices are added, changed and removed', async () => {
    const id = await insertUser(app.account, 'moving');
    const deviceId = randomUUID();
    const row = async () => (await list('&search=moving')).body.data[0];
    await app.insertDevice(id, { id: deviceId, provider: 'oura', status: 'pending' });
    expect(await row()).toMatchObject({ devices: 1, not_syncing: 0 });
    const set = (change: string) => app.admin.query(`UPDATE devices SET ${change} WHERE id = $1`, [deviceId]);
    await set(`status = 'active', sync_state = 'silent'`);
    expect(await row()).toMatchObject({ devices: 1, not_syncing: 1 });
    await set(`sync_state = 'fresh'`);
    expect(await row()).toMatchObject({ devices: 1, not_syncing: 0 });
    await set(`sync_state = 'revoked', status = 'expired'`);
    await set('removed_at = now()');
    expect(await row()).toMatchObject({ devices: 0, not_syncing: 0 });
    await app.admin.query('DELETE FROM devices WHERE id = $1', [deviceId]);
    expect(await row()).toMatchObject({ devices: 0, not_syncing: 0 });
    const { rows } = await app.admin.query(
      `SELECT sum(devices)::int AS devices FROM device_counts WHERE provider = 'oura' AND account_id = $1`,
      [app.account.uuid],
    );
    expect(rows[0].devices).toBe(1); // the device of ann-2
    await app.admin.query('DELETE FROM users WHERE id = $1', [id]);
  });
});

test('stops counting at ten thousand and reports that there are more', async () => {
  const account = await app.createAccount();
  const { browser: owner } = await joinAs(app, 'owner', { accountId: account.uuid });
  const insert = (from: number, to: number) =>
    app.admin.query(
      `INSERT INTO users (id, account_id, environment, reference_id)
       SELECT gen_random_uuid(), $1, 'live', 'many-' || number FROM generate_series($2::int, $3::int) AS number`,
      [account.uuid, from, to],
    );
  const counts = async () => (await owner.call('GET', '/users?environment=live&limit=1')).body.counts;
  await insert(1, 10_000);
  expect(await counts()).toMatchObject({
    all: { value: 10_000, more: false },
    no_device: { value: 10_000, more: false },
  });
  await insert(10_001, 10_001);
  expect(await counts()).toMatchObject({
    all: { value: 10_001, more: false },
    no_device: { value: 10_000, more: true },
    not_syncing: { value: 0, more: false },
  });
});

describe('GET /dashboard/api/find', () => {
  const find = (id: string, who = browser) => who.call('GET', `/find?environment=live&id=${id}`);

  test('finds the page for any id, but none of another account', async () => {
    const { browser: stranger } = await joinAs(app, 'owner', { accountId: other.uuid });
    const userId = users.get('ann-1')!;
    const { rows: devices } = await app.admin.query('SELECT id FROM devices WHERE user_id = $1', [userId]);
    const webhook = await createTestWebhook(app);
    const [eventId] = await emitEvents(app, app.account, userId, ['device.connected']);
    const batchId = randomUUID();
    await app.admin.query(
      `INSERT INTO dead_letters (user_id, batch_id, attempts, reason) VALUES ($1, $2, 8, 'x')`,
      [userId, batchId],
    );
    const { rows: keys } = await app.admin.query(
      `SELECT id FROM api_keys WHERE account_id = $1 AND environment = 'live'`,
      [app.account.uuid],
    );
    const { rows: team } = await app.admin.query(
      'SELECT operator_id FROM operator_roles WHERE account_id = $1',
      [app.account.uuid],
    );
    const { rows: links } = await app.admin.query(
      `INSERT INTO operator_links (id, account_id, kind, email, role, link_hash, link_key_version, created_at, expires_at)
       VALUES (gen_random_uuid(), $1, 'invitation', 'x@example.com', 'viewer', 'x', 1, now(), now()) RETURNING id`,
      [app.account.uuid],
    );
    const user = formatId('user', userId);
    const expected = {
      [user]: { kind: 'user', path: `users/${user}` },
      [formatId('dev', devices[0].id)]: { kind: 'device', path: `users/${user}?tab=devices` },
      [webhook.id]: { kind: 'webhook', path: `webhooks/${webhook.id}` },
      [eventId!]: { kind: 'event', path: `events/${eventId}` },
      [batchId]: { kind: 'batch', path: `users/${user}` },
      [formatId('key', keys[0].id)]: { kind: 'key', path: 'keys' },
      [formatId('op', team[0].operator_id)]: { kind: 'operator', path: 'settings/team' },
      [formatId('oli', links[0].id)]: { kind: 'operator_invitation', path: 'settings/team' },
    };
    for (const [id, target] of Object.entries(expected)) {
      expect((await find(id)).body).toEqual({ id, ...target });
      expect((await find(id, stranger)).status, id).toBe(404);
    }
  });

  test.each(['nothing', 'user_01jcqz4w5ve9prdk6r9f4vg1yx', 'constructor_01jcqz4w5ve9prdk6r9f4vg1yx'])(
    'returns 404 for %s',
    async (id) => expect((await find(id)).status).toBe(404),
  );
});

test('requires a session', async () => {
  for (const path of ['/users?environment=live', '/find?environment=live&id=x'])
    expect((await browser.call('GET', path, undefined, { cookie: '' })).status).toBe(401);
});
