import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { startLab, type StartLabOptions } from '../../lab.ts';
import { connect, consent, credentialsOf, getJson, refresh } from '../../test/connect-person.ts';
import { receivePushes } from '../../test/receive-pushes.ts';
import { whoop } from './index.ts';
import { policy } from './policy.ts';

const endpoints = { authorize: '/whoop/oauth/oauth2/auth', token: '/whoop/oauth/oauth2/token' };
const base = '/whoop/developer/v2';
const startAt = Date.parse('2026-04-20T12:00:00Z');
const start = (options: StartLabOptions = {}) => startLab({ providers: [whoop], startAt, ...options });

test('requires a state of eight characters, and issues a refresh token only with offline', async () => {
  await using lab = await start();
  const short = await consent(lab, endpoints, 'ada', ['read:sleep'], '1234567');
  expect([short.searchParams.get('code'), short.searchParams.get('error')]).toEqual([
    null,
    'invalid_request',
  ]);
  const { body } = await connect(lab, endpoints, 'ada', ['read:sleep']);
  expect(body).toEqual({
    access_token: expect.any(String),
    expires_in: 3600,
    scope: 'read:sleep',
    token_type: 'bearer',
  });
  expect((await connect(lab, endpoints, 'ada', ['read:sleep', 'offline'])).refreshToken).toEqual(
    expect.any(String),
  );
});

test('requires offline in a refresh, and invalidates the previous token at once', async () => {
  await using lab = await start();
  const { refreshToken = '', accessToken } = await connect(lab, endpoints, 'ada', policy.scopes);
  expect((await refresh(lab, endpoints, refreshToken)).status).toBe(400);
  const next = await refresh(lab, endpoints, refreshToken, { scope: 'offline' });
  expect(next.status).toBe(200);
  expect(next.body.refresh_token).not.toBe(refreshToken);
  expect(await refresh(lab, endpoints, refreshToken, { scope: 'offline' })).toEqual({
    status: 400,
    body: { error: 'invalid_grant' },
  });
  expect((await refresh(lab, endpoints, next.body.refresh_token, { scope: 'offline' })).status).toBe(200);
  const wrong = { scope: 'offline', client_secret: 'wrong' };
  expect((await refresh(lab, endpoints, next.body.refresh_token, wrong)).status).toBe(401);
  await lab.clock.advance(3_600_000);
  expect((await getJson(`${lab.url}${base}/cycle`, accessToken)).status).toBe(401);
});

test('blocks only the routes of a missing scope', async () => {
  await using lab = await start();
  const opens: Record<string, string> = {
    'read:profile': 'user/profile/basic',
    'read:body_measurement': 'user/measurement/body',
    'read:cycles': 'cycle',
    'read:recovery': 'recovery',
    'read:sleep': 'activity/sleep',
    'read:workout': 'activity/workout',
  };
  for (const scope of Object.keys(opens)) {
    const ada = await connect(lab, endpoints, 'ada', [scope]);
    for (const [needed, path] of Object.entries(opens))
      expect((await ada.get(`${base}/${path}`)).status, `${scope} ${path}`).toBe(
        needed === scope ? 200 : 403,
      );
  }
});

test('ends the tokens when access is revoked, and returns no data of another user', async () => {
  await using lab = await start();
  const ada = await connect(lab, endpoints, 'ada', policy.scopes);
  const ben = await connect(lab, endpoints, 'ben', policy.scopes);
  for (const [list, id] of [
    ['activity/sleep', 'id'],
    ['activity/workout', 'id'],
    ['cycle', 'id'],
  ] as const) {
    const [first] = (await ada.get(`${base}/${list}`)).body.records;
    expect((await ben.get(`${base}/${list}/${first[id]}`)).status).toBe(404);
  }
  const response = await fetch(`${lab.url}${base}/user/access`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${ada.accessToken}` },
  });
  expect(response.status).toBe(204);
  expect((await ada.get(`${base}/cycle`)).status).toBe(401);
  expect((await refresh(lab, endpoints, ada.refreshToken ?? '', { scope: 'offline' })).status).toBe(400);
  expect((await ben.get(`${base}/cycle`)).status).toBe(200);
  lab.revoke(lab.grants('whoop').find(({ personId }) => personId === 'ben')!.id);
  expect((await ben.get(`${base}/cycle`)).status).toBe(401);
});

test('reports the limits in every response, and returns 429 after 100 calls a minute', async () => {
  await using lab = await start();
  const ada = await connect(lab, endpoints, 'ada', policy.scopes);
  const call = async () => {
    const { status, headers } = await ada.get(`${base}/user/profile/basic`);
    return [status, ...['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`))];
  };
  const rules = '100;window=60, 10000;window=86400';
  expect(await call()).toEqual([200, `100, ${rules}`, '99', '60']);
  await lab.clock.advance(15_000);
  for (let calls = 2; calls < 100; calls += 1) await call();
  expect(await call()).toEqual([200, `100, ${rules}`, '0', '45']);
  expect(await call()).toEqual([429, `100, ${rules}`, '0', '45']);
  await lab.clock.advance(45_000);
  expect((await call())[0]).toBe(200);
  expect(lab.counts('whoop').exceeded).toEqual({ '100/60s/app': 1 });
});

test('signs pushes over the time, and identifies a recovery by its sleep', async () => {
  await using receiver = await receivePushes();
  await using lab = await start({ apps: [{ pushUrls: { whoop: receiver.url } }] });
  await connect(lab, endpoints, 'ada', policy.scopes);
  await connect(lab, endpoints, 'ben', ['read:cycles']);
  await lab.clock.moveTo(Date.parse('2026-04-21T12:00:00Z'));
  const ada = await connect(lab, endpoints, 'ada', policy.scopes);
  const [cycle] = (await ada.get(`${base}/cycle?limit=1`)).body.records;
  const night = (await ada.get(`${base}/cycle/${cycle.id}/sleep`)).body;
  const events = receiver.received.map(({ headers, body }) => {
    const time = String(headers['x-whoop-signature-timestamp']);
    const mac = createHmac('sha256', credentialsOf(lab).client_secret)
      .update(time)
      .update(body)
      .digest('base64');
    expect(headers['x-whoop-signature']).toBe(mac);
    expect(Number(time)).toBeGreaterThan(startAt);
    return JSON.parse(body);
  });
  const ofNight = events.filter(({ id }) => id === night.id);
  // First visible, then scored.
  expect(ofNight.map(({ type }) => type).toSorted()).toEqual([
    'recovery.updated',
    'sleep.updated',
    'sleep.updated',
  ]);
  for (const event of events) {
    expect(Object.keys(event)).toEqual(['user_id', 'id', 'type', 'trace_id']);
    expect(event.user_id).toBe(night.user_id);
  }
  expect(new Set(events.map(({ trace_id: trace }) => trace)).size).toBe(events.length);
});

test('announces deletions, of recoveries with their sleep, and nothing afterward', async () => {
  await using receiver = await receivePushes();
  await using lab = await start({
    apps: [{ pushUrls: { whoop: receiver.url } }],
    faults: [{ kind: 'revised', rate: 1 }],
  });
  await connect(lab, endpoints, 'ada', ['read:workout', 'read:sleep', 'read:recovery']);
  await lab.clock.advance(110 * 86_400_000);
  const events = receiver.received.map(({ body }) => JSON.parse(body));
  const types = new Set(events.map(({ type }) => type));
  expect(types).toEqual(
    new Set([
      'sleep.updated',
      'sleep.deleted',
      'recovery.updated',
      'recovery.deleted',
      'workout.updated',
      'workout.deleted',
    ]),
  );
  for (const { id } of events.filter(({ type }) => type === 'recovery.deleted'))
    expect(events.filter((event) => event.id === id && event.type === 'sleep.deleted')).toHaveLength(1);
  for (const { id, type } of events.filter((event) => event.type.endsWith('.deleted'))) {
    const after = events.slice(events.findIndex((event) => event.id === id && event.type === type) + 1);
    expect(after.filter((event) => event.id === id && event.type.endsWith('.updated'))).toEqual([]);
  }
}, 20_000);

test('retries a failed push about five times in an hour, with a new signature each time', async () => {
  await using receiver = await receivePushes();
  receiver.respond = () => ({ status: 503 });
  await using lab = await start({ apps: [{ pushUrls: { whoop: receiver.url } }] });
  await connect(lab, endpoints, 'ada', ['read:recovery']);
  await lab.clock.moveTo(Date.parse('2026-04-21T12:00:00Z'));
  const times = receiver.received.map(({ headers }) => Number(headers['x-whoop-signature-timestamp']));
  expect(times).toHaveLength(5);
  expect(times.at(-1)! - times[0]!).toBe(3_600_000);
});
