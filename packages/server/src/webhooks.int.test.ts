import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runDeliveries } from './delivery/run-deliveries.ts';
import { startReceiver, type Received, type Receiver } from './test/receiver.ts';
import { startTestApp, type TestApp } from './test/apps/test-app.ts';
import { createTestWebhook, insertTestUser, emitEvents } from './test/webhooks.ts';

/** The API with running dispatchers and an endpoint that receives their requests. */
let app: TestApp;
let receiver: Receiver;
let userId: string;
let running: AsyncDisposableStack;
beforeAll(async () => {
  running = new AsyncDisposableStack();
  app = running.use(await startTestApp());
  running.use(runDeliveries(app.ctx));
  userId = await insertTestUser(app, app.account);
});
afterAll(() => running.disposeAsync());
beforeEach(async () => {
  receiver = running.use(await startReceiver());
});

const register = (input: object = {}) => createTestWebhook(app, { url: receiver.url, ...input });
const emit = (...types: Parameters<typeof emitEvents>[3]) => emitEvents(app, app.account, userId, types);
const receivedIds = () => receiver.received.map(({ headers }) => headers['webhook-id']);
async function arrived(ids: readonly (string | undefined)[]): Promise<void> {
  await expect.poll(receivedIds, { timeout: 10_000, interval: 20 }).toEqual(ids);
}

function verify(secret: string, { text, headers }: Received): unknown {
  return new Webhook(secret).verify(text, headers as Record<string, string>);
}

// @contract webhooks: `POST /v1/webhooks` registers an endpoint, which receives events by HTTP POST
// @contract webhooks: Each request is signed with HMAC-SHA256; after a rotation either secret verifies
test('delivers a test event, signed with the secret from registration', async () => {
  const webhook = await register();
  const { event_id: id } = (await webhook.call('POST', '/test', {})).body.data;
  await arrived([id]);
  const [received] = receiver.received;
  const { data } = (await webhook.call('GET', `/deliveries/${id}`)).body;
  expect(verify(webhook.secret, received!)).toEqual(data.event);
  expect(data.event.data.test).toBe(true);
  const outcome = async () => (await webhook.call('GET', `/deliveries/${id}`)).body.data;
  await expect.poll(outcome).toMatchObject({
    status: 'succeeded',
    next_attempt_at: null,
    ended_at: expect.any(String),
    attempts: [{ status: 204, error: null }],
  });
  const [listed] = (await app.request('GET', '/v1/webhooks')).body.data.slice(-1);
  expect(listed).toMatchObject({ id: webhook.id, last_delivery_at: expect.any(String) });
});

// @contract webhooks: Each request is signed with HMAC-SHA256; after a rotation either secret verifies
test('verifies with either secret after a rotation', async () => {
  const webhook = await register();
  const rotated = (await webhook.call('POST', '/rotate-secret')).body.data.secret;
  await webhook.call('POST', '/test', {});
  await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(1);
  for (const secret of [webhook.secret, rotated]) expect(verify(secret, receiver.received[0]!)).toBeTruthy();
  expect(() => verify((rotated as string).replace(/.{6}$/, 'AAAAA='), receiver.received[0]!)).toThrow();
});

test('delivers missed events in order with recover, and repeats a delivery with resend', async () => {
  const webhook = await register({ events: ['score.updated'], status: 'inactive' });
  const missed = await emit('score.updated', 'data.updated', 'score.updated');
  await webhook.call('PATCH', '', { status: 'active' });
  const [now] = await emit('score.updated');
  await arrived([now]);
  const { body } = await webhook.call('POST', '/recover', { since: '2020-01-01T00:00:00Z' });
  expect(body.data).toMatchObject({ queued: 2, has_more: false });
  await arrived([now, missed[0], missed[2]]);
  await webhook.call('POST', `/deliveries/${now}/resend`);
  await arrived([now, missed[0], missed[2], now]);
  // An attempt is recorded a little after it arrives.
  const attempts = async () => (await webhook.call('GET', `/deliveries/${now}`)).body.data.attempt_count;
  await expect.poll(attempts).toBe(2);
});

// @contract webhooks: While a webhook is inactive, pending deliveries are held and no new ones are queued; deliveries resume when it is reactivated
test('holds pending deliveries while the webhook is inactive and resumes immediately when it is active', async () => {
  const webhook = await register({ events: ['data.updated'], coalesce_seconds: 1 });
  const [id] = await emit('data.updated');
  await webhook.call('PATCH', '', { active: false });
  await sleep(1_500);
  expect(receivedIds()).toEqual([]);
  await webhook.call('PATCH', '', { active: true });
  await arrived([id]);
});

test('moves a failed attempt forward with resend', async () => {
  const webhook = await register({ events: ['score.updated'] });
  receiver.respond = () => ({ status: 503, headers: { 'retry-after': '3600' }, body: 'later' });
  const [id] = await emit('score.updated');
  await arrived([id]);
  const shown = async () => (await webhook.call('GET', `/deliveries/${id}`)).body.data;
  await expect.poll(shown).toMatchObject({
    status: 'pending',
    attempts: [{ status: 503, answer: 'later' }],
  });
  receiver.respond = () => ({ status: 200 });
  await webhook.call('POST', `/deliveries/${id}/resend`);
  await arrived([id, id]);
  await expect.poll(shown).toMatchObject({ status: 'succeeded', attempt_count: 2 });
});

// @contract webhooks: `DELETE` removes it and cancels pending deliveries
test('never sends pending deliveries of a removed webhook', async () => {
  const webhook = await register({ events: ['data.updated'], coalesce_seconds: 2 });
  const other = await register({ events: ['data.updated'], coalesce_seconds: 3 });
  const [id] = await emit('data.updated');
  expect((await webhook.call('DELETE')).status).toBe(204);
  // The other delivery is due a second later: by then both were due.
  await arrived([id]);
  expect((await other.call('GET', `/deliveries/${id}`)).body.data.event_id).toBe(id);
  const { rows } = await app.admin.query('SELECT state, attempts FROM deliveries WHERE webhook_id = $1', [
    webhook.uuid,
  ]);
  expect(rows).toEqual([{ state: 'pending', attempts: [] }]);
});
