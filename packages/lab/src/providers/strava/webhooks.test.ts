import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Lab } from '../../lab-type.ts';
import { credentialsOf, type Json } from '../../test/connect-person.ts';
import { receivePushes, type Receiver } from '../../test/receive-pushes.ts';
import { playStrava } from './index.ts';
import { connect, send, startStrava } from './test-client.ts';

const path = '/api/v3/push_subscriptions';
const day = 86_400_000;

/** A receiver that echoes challenges. */
async function receive(): Promise<Receiver> {
  const receiver = await receivePushes();
  receiver.respond = ({ method, url }) => ({
    status: 200,
    body: method === 'GET' ? JSON.stringify({ 'hub.challenge': url.searchParams.get('hub.challenge') }) : '',
  });
  return receiver;
}
const subscribe = (lab: Lab, url: string, more: Record<string, string> = {}) =>
  send(lab, path, { ...credentialsOf(lab), callback_url: url, verify_token: 'knock', ...more });
const eventsOf = (receiver: Receiver): Json[] =>
  receiver.received.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
const callApi = async (lab: Lab, method: string, id = '', secret = credentialsOf(lab).client_secret) => {
  const query = new URLSearchParams({ ...credentialsOf(lab), client_secret: secret });
  const response = await fetch(`${lab.url}/strava${path}${id}?${query.toString()}`, { method });
  const text = await response.text();
  return [response.status, text === '' ? null : JSON.parse(text)];
};

test('allows one subscription per app, for a callback that echoes the challenge', async () => {
  await using receiver = await receive();
  await using lab = await startStrava();
  expect(await callApi(lab, 'GET')).toEqual([200, []]);
  const { status, body } = await subscribe(lab, receiver.url);
  expect([status, body]).toEqual([201, { id: expect.any(Number) }]);
  expect(Object.fromEntries(receiver.received[0]!.url.searchParams)).toEqual({
    'hub.mode': 'subscribe',
    'hub.challenge': expect.stringMatching(/^.{10,}$/),
    'hub.verify_token': 'knock',
  });
  expect(await callApi(lab, 'GET')).toEqual([200, [{ id: body.id, callback_url: receiver.url }]]);
  expect((await subscribe(lab, receiver.url)).body.errors[0].code).toBe('already exists');
  // The callback is not called if the request fails anyway.
  expect(receiver.received).toHaveLength(1);
  expect((await callApi(lab, 'GET', '', 'wrong'))[0]).toBe(401);
  expect((await callApi(lab, 'DELETE', `/${body.id}`, 'wrong'))[0]).toBe(401);
  expect((await callApi(lab, 'DELETE', `/${body.id + 1}`))[0]).toBe(404);
  expect(await callApi(lab, 'DELETE', `/${body.id}`)).toEqual([204, null]);
  expect(await callApi(lab, 'GET')).toEqual([200, []]);
  const others = await Promise.all([subscribe(lab, receiver.url), subscribe(lab, receiver.url)]);
  expect(others.map((other) => other.status).toSorted()).toEqual([201, 400]);
  expect(others.map((other) => other.body.id)).not.toContain(body.id);
});

test('rejects a callback that responds wrongly or too late', async () => {
  await using receiver = await receivePushes();
  await using lab = await startStrava();
  for (const response of [
    { status: 200, body: '{"hub.challenge":"other"}' },
    { status: 200, body: 'no JSON' },
    { status: 404 },
  ]) {
    receiver.respond = () => response;
    const { status, body } = await subscribe(lab, receiver.url);
    expect([status, body.errors]).toEqual([
      400,
      [{ resource: 'PushSubscription', field: 'callback url', code: 'not verifiable' }],
    ]);
  }
  expect((await subscribe(lab, 'ftp://receiver')).status).toBe(400);
  expect((await subscribe(lab, receiver.url, { verify_token: '' })).status).toBe(400);
  expect((await subscribe(lab, receiver.url, { client_secret: 'wrong' })).status).toBe(401);
  const slow = createServer((request, response) => {
    const word = new URL(request.url ?? '', 'http://slow').searchParams.get('hub.challenge');
    void wait(2500).then(() => response.end(JSON.stringify({ 'hub.challenge': word })));
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const { port } = slow.address() as { port: number };
  expect((await subscribe(lab, `http://127.0.0.1:${port}/`)).status).toBe(400);
  slow.closeAllConnections();
  slow.close();
  expect(await callApi(lab, 'GET')).toEqual([200, []]);
});

test('announces each activity once, signed over the time and the body, when it can be read', async () => {
  await using receiver = await receive();
  await using lab = await startStrava();
  const { body: subscription } = await subscribe(lab, receiver.url);
  await connect(lab, 'ada');
  await connect(lab, 'ben', ['read']);
  const from = lab.clock.now();
  await lab.clock.advance(8 * day);
  const ada = await connect(lab, 'ada');
  const posts = receiver.received.filter(({ method }) => method === 'POST');
  const listed: Json[] = (await ada.get(`/athlete/activities?after=${from / 1000}`)).body;
  const events = eventsOf(receiver);
  expect(events.map(({ object_id: id }) => id).toSorted()).toEqual(listed.map(({ id }) => id).toSorted());
  expect(events.length).toBeGreaterThan(1);
  const { client_secret: secret } = credentialsOf(lab);
  for (const { headers, body } of posts) {
    const [, time, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-strava-signature']))!;
    expect(mac).toBe(createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex'));
    const event = JSON.parse(body);
    expect(Math.abs(Number(time) - event.event_time)).toBeLessThan(2);
    expect(event).toEqual({
      object_type: 'activity',
      object_id: expect.any(Number),
      aspect_type: 'create',
      updates: {},
      owner_id: ada.tokens.athlete.id,
      subscription_id: subscription.id,
      event_time: expect.any(Number),
    });
  }
});

test('can omit signatures', async () => {
  await using receiver = await receive();
  await using lab = await startStrava({ providers: [playStrava({ isSigned: false })] });
  await subscribe(lab, receiver.url);
  await connect(lab, 'ada');
  await lab.clock.advance(8 * day);
  const posts = receiver.received.filter(({ method }) => method === 'POST');
  expect(posts.length).toBeGreaterThan(1);
  for (const { headers } of posts) expect(headers).not.toHaveProperty('x-strava-signature');
});

test('announces edits of title, type and privacy and no others, and removes deleted activities', async () => {
  await using receiver = await receive();
  await using lab = await startStrava({ faults: [{ kind: 'revised', rate: 1 }] });
  await subscribe(lab, receiver.url);
  const from = lab.clock.now() + 3_600_000;
  await connect(lab, 'ada');
  await lab.clock.advance(120 * day);
  const ada = await connect(lab, 'ada');
  const listed: Json[] = (await ada.get(`/athlete/activities?after=${from / 1000}&per_page=200`)).body;
  const byId = new Map(listed.map((one) => [one.id, one]));
  const last = new Map<number, Json[]>();
  for (const event of eventsOf(receiver))
    last.set(event.object_id, [...(last.get(event.object_id) ?? []), event]);
  const names = new Set<string>();
  let silent = 0;
  for (const [id, events] of last) {
    expect(events[0].aspect_type).toBe('create');
    const activity = byId.get(id);
    const updates: Json = Object.assign({}, ...events.map((event) => event.updates));
    for (const name of Object.keys(updates)) names.add(name);
    if (events.at(-1).aspect_type === 'delete') {
      names.add('delete');
      expect((await ada.get(`/activities/${id}`)).status).toBe(404);
      expect(byId.has(id)).toBe(false);
    } else if (activity) {
      expect(activity).toMatchObject({
        ...('title' in updates && { name: updates.title }),
        ...('type' in updates && { sport_type: updates.type }),
        ...('private' in updates && { private: updates.private === 'true' }),
      });
      if (updates.type === 'TrailRun') expect(activity.type).toBe('Run');
      const truth = lab.truth('ada', activity.start_date_local.slice(0, 10)).workouts;
      const isWhole = truth.some(({ start, end }) => (end - start) / 1000 === activity.elapsed_time);
      if (!isWhole && events.length === 1) silent += 1;
    }
  }
  expect(names).toEqual(new Set(['title', 'type', 'private', 'delete']));
  expect(silent).toBeGreaterThan(2);
}, 20_000);

test('announces activities that become private as deleted and public ones as created, to an app without activity:read_all', async () => {
  await using receiver = await receive();
  await using lab = await startStrava({ faults: [{ kind: 'revised', rate: 1 }] });
  await subscribe(lab, receiver.url);
  await connect(lab, 'ada', ['read', 'activity:read']);
  await lab.clock.advance(120 * day);
  const ada = await connect(lab, 'ada', ['read', 'activity:read']);
  const listed: Json[] = (await ada.get('/athlete/activities?per_page=200')).body;
  const known = new Set<number>();
  const createdAt = new Map<number, number>();
  let deleted = 0;
  for (const { aspect_type: aspect, object_id: id, updates, event_time: time } of eventsOf(receiver)) {
    expect(updates).not.toHaveProperty('private');
    expect(known.has(id), aspect).toBe(aspect !== 'create');
    if (aspect === 'create') createdAt.set(id, time * 1000);
    if (aspect === 'delete') deleted += 1;
    if (aspect === 'delete') known.delete(id);
    else known.add(id);
  }
  const ids = new Set(listed.map(({ id }) => id));
  expect([...known].filter((id) => !ids.has(id))).toEqual([]);
  expect(deleted).toBeGreaterThan(2);
  // They were private when they were uploaded.
  const late = listed.filter(({ id, start_date: start, elapsed_time: seconds, start_date_local: local }) => {
    const uploadedBy = Date.parse(start) + seconds * 1000 + 21 * 60_000;
    return !local.endsWith('T00:00:01Z') && (createdAt.get(id) ?? 0) > uploadedBy;
  });
  expect(late.length).toBeGreaterThan(0);
}, 20_000);

test('announces a revoked grant, regardless of who revoked it', async () => {
  await using receiver = await receive();
  await using lab = await startStrava();
  await subscribe(lab, receiver.url);
  const { tokens } = await connect(lab, 'ada');
  await send(lab, '/oauth/deauthorize', {}, { authorization: `Bearer ${tokens.access_token}` });
  await lab.pushes.idle();
  expect(eventsOf(receiver)).toEqual([
    {
      object_type: 'athlete',
      object_id: tokens.athlete.id,
      aspect_type: 'update',
      updates: { authorized: 'false' },
      owner_id: tokens.athlete.id,
      subscription_id: expect.any(Number),
      event_time: lab.clock.now() / 1000,
    },
  ]);
  await lab.clock.advance(8 * day);
  expect(eventsOf(receiver)).toHaveLength(1);
});

test('tries a push three times in all unless the response is 200, each with a new signature', async () => {
  await using receiver = await receive();
  await using lab = await startStrava();
  await subscribe(lab, receiver.url);
  receiver.respond = () => ({ status: 204 });
  await connect(lab, 'ada');
  lab.revoke(lab.grants('strava')[0]!.id);
  await lab.pushes.idle();
  await lab.clock.advance(day);
  const signatures = receiver.received
    .filter(({ method }) => method === 'POST')
    .map(({ headers }) => headers['x-strava-signature']);
  expect(signatures).toHaveLength(3);
  expect(new Set(signatures).size).toBe(3);
});
