import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../test/apps/test-app.ts';
import { createTestWebhook, type TestWebhook } from '../../../test/webhooks.ts';
import { pruneDeliveries } from './prune-deliveries.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ DELIVERY_RETENTION_DAYS: '10' });
});
afterAll(() => app[Symbol.asyncDispose]());

/** Inserts deliveries that ended this many days ago, or that have not ended if null. */
async function insert(
  { uuid }: TestWebhook,
  state: string,
  ageDays: number | null,
  count = 1,
): Promise<void> {
  await app.admin.query(
    `INSERT INTO deliveries (webhook_id, event_id, account_id, environment, type, state, created_at, due_at, ended_at)
     SELECT $1, gen_random_uuid(), $2, 'live', 'data.updated', $3, now() - interval '1 year', now(),
       tributary_now() - $4 * interval '1 day' FROM generate_series(1, $5)`,
    [uuid, app.account.uuid, state, ageDays, count],
  );
}

async function left({ uuid }: TestWebhook): Promise<string[]> {
  const { rows } = await app.admin.query(
    'SELECT state FROM deliveries WHERE webhook_id = $1 ORDER BY state',
    [uuid],
  );
  return rows.map(({ state }) => state);
}

const webhooksLeft = async () => (await app.admin.query('SELECT FROM webhooks')).rowCount;

test('removes deliveries that ended before the retention, in any state, and keeps others, including held ones', async () => {
  const webhook = await createTestWebhook(app);
  for (const state of ['succeeded', 'failed', 'merged']) {
    await insert(webhook, state, 10.1);
    await insert(webhook, state, 9.9);
  }
  await insert(webhook, 'pending', null);
  expect(await pruneDeliveries(app.ctx)).toEqual({ old: 3, orphaned: 0, webhooks: 0 });
  expect(await left(webhook)).toEqual(['failed', 'merged', 'pending', 'succeeded']);
  expect(await pruneDeliveries(app.ctx)).toEqual({ old: 0, orphaned: 0, webhooks: 0 });
});

test('removes thousands of deliveries in pieces', async () => {
  const webhook = await createTestWebhook(app);
  await insert(webhook, 'succeeded', 11, 12_000);
  expect(await pruneDeliveries(app.ctx)).toMatchObject({ old: 12_000 });
  expect(await left(webhook)).toEqual([]);
});

test('removes all deliveries of a deleted webhook immediately, and the webhook itself after an hour', async () => {
  // An inactive webhook still exists.
  const inactive = await createTestWebhook(app, { status: 'inactive' });
  const removed = await createTestWebhook(app);
  for (const webhook of [inactive, removed]) {
    await insert(webhook, 'pending', null, 5_001);
    await insert(webhook, 'succeeded', 1);
  }
  await removed.call('DELETE');
  const before = await webhooksLeft();
  expect(await pruneDeliveries(app.ctx)).toEqual({ old: 0, orphaned: 5_002, webhooks: 0 });
  expect(await left(inactive)).toHaveLength(5_002);
  // A delivery created while the webhook was being deleted.
  await insert(removed, 'pending', null);
  await app.moveClock(61 * 60_000);
  expect(await pruneDeliveries(app.ctx)).toEqual({ old: 0, orphaned: 1, webhooks: 1 });
  expect(await webhooksLeft()).toBe(before! - 1);
  expect((await inactive.call('GET')).status).toBe(200);
  await app.moveClock(0);
});
