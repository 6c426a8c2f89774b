import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startLab } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import { connect, credentialsOf, type Json } from '../../test/connect-person.ts';
import { receivePushes, type Receiver } from '../../test/receive-pushes.ts';
import { oura } from './index.ts';
import { policy } from './policy.ts';

const endpoints = { authorize: '/oura/cloud/oauth/authorize', token: '/oura/api/oauth/token' };
const day = 86_400_000;
let lab: Lab;
let receiver: Receiver;

beforeEach(async () => {
  lab = await startLab({ providers: [oura], startAt: Date.parse('2026-04-20T12:00:00Z') });
  receiver = await receivePushes();
  receiver.respond = respondToChallenge;
});
afterEach(async () => {
  await lab[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const respondToChallenge: Receiver['respond'] = ({ method, url }) => {
  if (method === 'POST') return { status: 200 };
  if (url.searchParams.get('verification_token') !== 'our-token') return { status: 401 };
  return { status: 200, body: JSON.stringify({ challenge: url.searchParams.get('challenge') }) };
};
const posts = () => receiver.received.filter(({ method }) => method === 'POST');

async function call(
  method: string,
  path = '',
  body?: Json,
  secret = credentialsOf(lab).client_secret,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${lab.url}/oura/api/v2/webhook/subscription${path}`, {
    method,
    headers: {
      'x-client-id': credentialsOf(lab).client_id,
      'x-client-secret': secret,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}
const wanted = (dataType: string, eventType = 'create') => ({
  callback_url: receiver.url,
  verification_token: 'our-token',
  event_type: eventType,
  data_type: dataType,
});

test('creates a subscription after the challenge, then reads, updates, renews and deletes it', async () => {
  const { status, body } = await call('POST', '', wanted('sleep'));
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.any(String),
    callback_url: receiver.url,
    event_type: 'create',
    data_type: 'sleep',
    expiration_time: new Date(lab.clock.now() + 90 * day).toISOString(),
  });
  expect(receiver.received[0]?.url.searchParams.get('challenge')).toMatch(/./);
  expect((await call('GET')).body).toEqual([body]);
  expect((await call('GET', `/${body.id}`)).body).toEqual(body);
  const changed = await call('PUT', `/${body.id}`, { verification_token: 'our-token', event_type: 'update' });
  expect(changed.body).toMatchObject({ id: body.id, event_type: 'update', data_type: 'sleep' });
  await lab.clock.advance(10 * day);
  const renewed = await call('PUT', `/renew/${body.id}`);
  expect(renewed.body.expiration_time).toBe(new Date(lab.clock.now() + 90 * day).toISOString());
  await lab.clock.advance(89 * day);
  expect((await call('GET')).body).toHaveLength(1);
  expect((await call('DELETE', `/${body.id}`)).status).toBe(204);
  expect((await call('GET', `/${body.id}`)).status).toBe(404);
  await call('POST', '', wanted('sleep'));
  await lab.clock.advance(90 * day);
  expect((await call('GET')).body).toEqual([]);
});

test('rejects invalid requests', async () => {
  expect((await call('GET', '', undefined, 'wrong')).status).toBe(401);
  expect((await call('POST', '', { ...wanted('sleep'), verification_token: 'other' })).status).toBe(400);
  expect((await call('POST', '', { ...wanted('sleep'), callback_url: 'ftp://example' })).status).toBe(400);
  expect((await call('POST', '', wanted('heartrate'))).status).toBe(400);
  expect((await call('POST', '', wanted('vO2_max'))).status).toBe(400);
  expect((await call('POST', '', wanted('sleep', 'created'))).status).toBe(400);
  receiver.respond = () => ({ status: 200, body: JSON.stringify({ challenge: 'another' }) });
  expect((await call('POST', '', wanted('sleep'))).status).toBe(400);
  receiver.respond = respondToChallenge;
  expect((await call('POST', '', wanted('vo2_max'))).status).toBe(201);
  expect((await call('POST', '', wanted('sleep'))).status).toBe(201);
  expect((await call('POST', '', wanted('sleep'))).status).toBe(409);
});

test('announces a night with a signature, and returns it by its id at once', async () => {
  const ada = await connect(lab, endpoints, 'ada', policy.scopes);
  await connect(lab, endpoints, 'ben', ['workout']);
  await call('POST', '', wanted('sleep'));
  await lab.clock.advance(day - 3_600_000);
  const expected = [
    ...lab.truth('ada', '2026-04-20').sleeps,
    ...lab.truth('ada', '2026-04-21').sleeps,
  ].filter(({ end }) => end > Date.parse('2026-04-20T12:00:00Z') && end < Date.parse('2026-04-21T10:30:00Z'));
  // Ben has not granted the scope, so there are no notifications about him.
  expect(posts()).toHaveLength(expected.length);
  for (const { headers, body } of posts()) {
    const timestamp = String(headers['x-oura-timestamp']);
    const { client_secret: secret } = credentialsOf(lab);
    const mac = createHmac('sha256', secret).update(timestamp).update(body).digest('hex');
    expect(headers['x-oura-signature']).toBe(mac.toUpperCase());
    const event = JSON.parse(body);
    expect(event).toEqual({
      event_type: 'create',
      data_type: 'sleep',
      object_id: expect.any(String),
      event_time: expect.any(String),
      user_id: lab.grants('oura')[0]?.userId,
    });
    expect(Math.abs(Number(timestamp) * 1000 - Date.parse(event.event_time))).toBeLessThan(60_000);
    const { status, body: document } = await ada.get(`/oura/api/v2/usercollection/sleep/${event.object_id}`);
    expect([status, expected.map(({ end }) => end)]).toEqual([
      200,
      expect.arrayContaining([Date.parse(document.bedtime_end)]),
    ]);
  }
});

test('creates a growing day once and updates it four times, and deletes a removed nap', async () => {
  await connect(lab, endpoints, 'ada', policy.scopes);
  for (const event of ['create', 'update']) await call('POST', '', wanted('daily_activity', event));
  await lab.clock.moveTo(Date.parse('2026-04-22T04:00:00Z'));
  const events = posts().map(({ body }) => JSON.parse(body));
  const ofToday = events.filter(
    ({ object_id: id }) => id === events.findLast((one) => one.event_type === 'create').object_id,
  );
  expect(ofToday.map(({ event_type: type }) => type)).toEqual([
    'create',
    'update',
    'update',
    'update',
    'update',
  ]);

  for (const { id } of (await call('GET')).body) await call('DELETE', `/${id}`);
  lab.faults.on({ kind: 'revised', rate: 1 });
  receiver.received.length = 0;
  await call('POST', '', wanted('sleep', 'delete'));
  await lab.clock.advance(120 * day);
  const deleted = posts()
    .map(({ body }) => JSON.parse(body))
    .filter(({ data_type: type }) => type === 'sleep');
  expect(deleted.length).toBeGreaterThan(0);
  expect(deleted.every(({ event_type: type }) => type === 'delete')).toBe(true);
}, 20_000);

test('retries a failing receiver ten times within about an hour with new signatures, and stops for one that is gone', async () => {
  await connect(lab, endpoints, 'ada', policy.scopes);
  await call('POST', '', wanted('daily_sleep'));
  receiver.respond = () => ({ status: 500 });
  await lab.clock.moveTo(Date.parse('2026-04-21T12:00:00Z'));
  expect(posts()).toHaveLength(11);
  const times = posts().map(({ headers }) => Number(headers['x-oura-timestamp']));
  expect(times.at(-1)! - times[0]!).toBeGreaterThan(3000);
  expect(times.at(-1)! - times[0]!).toBeLessThan(4000);
  receiver.respond = () => ({ status: 410 });
  await lab.clock.moveTo(Date.parse('2026-04-22T12:00:00Z'));
  expect(posts()).toHaveLength(12);
  expect((await call('GET')).body).toEqual([]);
});
