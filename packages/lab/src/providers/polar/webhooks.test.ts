import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startLab } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import type { Json } from '../../test/connect-person.ts';
import { receivePushes, type Receiver } from '../../test/receive-pushes.ts';
import { polar } from './index.ts';
import { asApp, authorize, connectPolar } from './test-client.ts';

const day = 86_400_000;
const events = ['EXERCISE', 'SLEEP', 'CONTINUOUS_HEART_RATE', 'ACTIVITY_SUMMARY', 'PHYSICAL_INFORMATION'];
let lab: Lab;
let receiver: Receiver;

beforeEach(async () => {
  lab = await startLab({ providers: [polar], startAt: Date.parse('2026-04-20T12:00:00Z') });
  receiver = await receivePushes();
});
afterEach(async () => {
  await lab[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});
const pushed = () => receiver.received.filter(({ headers }) => headers['polar-webhook-event'] !== 'PING');
const pushedEvents = (): Json[] => pushed().map(({ body }) => JSON.parse(body));
const create = async (wanted: string[] = events) =>
  (await asApp(lab).call('POST', '/webhooks', { events: wanted, url: receiver.url })).body.data;

test('allows one webhook per app and returns its secret once', async () => {
  const app = asApp(lab);
  const response = await app.call('POST', '/webhooks', { events: ['SLEEP'], url: receiver.url });
  expect(response).toMatchObject({
    status: 201,
    body: {
      data: {
        id: expect.any(String),
        events: ['SLEEP'],
        url: receiver.url,
        signature_secret_key: expect.any(String),
      },
    },
  });
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toEqual([
    { timestamp: '2026-04-20T12:00:00.000Z', event: 'PING' },
  ]);
  expect(receiver.received[0]!.headers).not.toHaveProperty('polar-webhook-signature');
  const { id } = response.body.data;
  expect((await app.get('/webhooks')).body).toEqual({
    data: [{ id, events: ['SLEEP'], url: receiver.url, active: true }],
  });
  expect((await app.call('POST', '/webhooks', { events: ['SLEEP'], url: receiver.url })).status).toBe(409);
  const changed = await app.call('PATCH', `/webhooks/${id}`, { events: ['EXERCISE'] });
  expect(changed.body.data).toEqual({ id, events: ['EXERCISE'], url: receiver.url, active: true });
  expect((await app.call('POST', '/webhooks/deactivate')).status).toBe(200);
  expect((await app.get('/webhooks')).body.data[0].active).toBe(false);
  expect((await app.call('POST', '/webhooks/activate')).status).toBe(200);
  expect((await app.get('/webhooks')).body.data[0].active).toBe(true);
  expect(receiver.received).toHaveLength(3);
  expect((await app.call('DELETE', '/webhooks/other')).status).toBe(404);
  expect((await app.call('DELETE', `/webhooks/${id}`)).status).toBe(204);
  expect((await app.get('/webhooks')).body).toEqual({ data: [] });
});

test('rejects invalid requests', async () => {
  const make = async (body: Json) => (await asApp(lab).call('POST', '/webhooks', body)).status;
  expect(await make({ events: ['NAP'], url: receiver.url })).toBe(400);
  expect(await make({ events: [], url: receiver.url })).toBe(400);
  expect(await make({ events: ['SLEEP'], url: 'ftp://example' })).toBe(400);
  receiver.respond = () => ({ status: 204 });
  expect(await make({ events: ['SLEEP'], url: receiver.url })).toBe(400);
  const ada = await connectPolar(lab, 'ada');
  expect((await ada.get('/webhooks')).status).toBe(401);
  lab.apps[0]!.clientSecret += '-changed';
  const before = `Basic ${Buffer.from('lab-app:lab-app-secret').toString('base64')}`;
  const response = await fetch(`${lab.url}/polar/www/v3/webhooks`, { headers: { authorization: before } });
  expect(response.status).toBe(401);
});

test('signs events over the body, with the URL to read, for registered users only', async () => {
  const { signature_secret_key: secret } = await create();
  const ada = await connectPolar(lab, 'ada');
  await authorize(lab, 'ben');
  await lab.clock.advance(10 * day);
  for (const { headers, body } of pushed()) {
    expect(headers['polar-webhook-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'));
    const event = JSON.parse(body);
    expect(headers['polar-webhook-event']).toBe(event.event);
    expect(event.user_id).toBe(ada.token.x_user_id);
    const { status } = await ada.get(event.url.split('/v3')[1]);
    expect(status, event.url).toBe(200);
  }
  expect(new Set(pushedEvents().map(({ event }) => event))).toEqual(new Set(events));
  const nights = pushedEvents().filter(({ event }) => event === 'SLEEP');
  expect(new Set(nights.map(({ date }) => date)).size).toBe(10);
  expect(nights[0]).toEqual({
    event: 'SLEEP',
    user_id: ada.token.x_user_id,
    date: '2026-04-21',
    timestamp: expect.any(String),
    url: `${lab.url}/polar/www/v3/users/sleep/2026-04-21`,
  });
  // Some nights are announced twice.
  expect(nights.length).toBeGreaterThan(10);
  const { entity_id: id, url } = pushedEvents().find(({ event }) => event === 'EXERCISE');
  expect(url).toBe(`${lab.url}/polar/www/v3/exercises/${id}`);
  expect((await ada.get(`/exercises/${id}`)).body.id).toBe(id);
});

test('retries a failure, and deactivates the webhook after seven days of failures', async () => {
  await create(['PHYSICAL_INFORMATION', 'ACTIVITY_SUMMARY']);
  await connectPolar(lab, 'ada');
  receiver.respond = () => ({ status: 202 });
  await lab.clock.advance(day / 4);
  expect(pushed()).toHaveLength(4);
  expect(new Set(pushedEvents().map(({ timestamp }) => timestamp)).size).toBe(1);
  await lab.clock.advance(6 * day);
  expect((await asApp(lab).get('/webhooks')).body.data[0].active).toBe(true);
  await lab.clock.advance(2 * day);
  expect((await asApp(lab).get('/webhooks')).body.data[0].active).toBe(false);
  const before = pushed().length;
  await lab.clock.advance(day);
  expect(pushed()).toHaveLength(before);
  receiver.respond = () => ({ status: 200 });
  expect((await asApp(lab).call('POST', '/webhooks/activate')).status).toBe(200);
  await lab.clock.advance(day);
  expect(pushed().length).toBeGreaterThan(before);
});
