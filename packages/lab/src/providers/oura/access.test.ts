import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLab } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import { connect, consent, credentialsOf, getJson, refresh } from '../../test/connect-person.ts';
import { oura } from './index.ts';
import { policy } from './policy.ts';

const endpoints = { authorize: '/oura/cloud/oauth/authorize', token: '/oura/api/oauth/token' };
const base = '/oura/api/v2/usercollection';
let lab: Lab;

beforeAll(async () => {
  lab = await startLab({ providers: [oura], startAt: Date.parse('2026-04-20T12:00:00Z') });
});
afterAll(() => lab[Symbol.asyncDispose]());

describe('tokens', () => {
  test('are issued once per code, to an app that sends its secret', async () => {
    const returned = await consent(lab, endpoints, 'ada', ['daily', 'heartrate']);
    expect(returned.searchParams.get('scope')).toBe('daily heartrate');
    const { client_id: id, client_secret: secret } = credentialsOf(lab);
    const requestTokens = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(`${lab.url}${endpoints.token}`, {
        method: 'POST',
        headers,
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: returned.searchParams.get('code') ?? '',
          ...fields,
        }),
      });
    expect((await requestTokens({ client_id: id, client_secret: 'wrong' })).status).toBe(401);
    // Basic authentication works as well.
    const basic = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
    const good = await requestTokens({}, basic);
    expect(await good.json()).toEqual({
      token_type: 'bearer',
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 86_400,
    });
    const again = await requestTokens({ client_id: id, client_secret: secret });
    expect([again.status, await again.json()]).toEqual([400, { error: 'invalid_grant' }]);
  });

  test('can be refreshed once each', async () => {
    const { refreshToken = '', accessToken } = await connect(lab, endpoints, 'ada', policy.scopes);
    const both = await Promise.all([
      refresh(lab, endpoints, refreshToken),
      refresh(lab, endpoints, refreshToken),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const next = both.find(({ status }) => status === 200)!.body;
    expect(next.refresh_token).not.toBe(refreshToken);
    expect((await getJson(`${lab.url}${base}/personal_info`, next.access_token)).status).toBe(200);
    await lab.clock.advance(86_400_000);
    expect((await getJson(`${lab.url}${base}/personal_info`, accessToken)).status).toBe(401);
  });

  test('end when the app revokes them or the user revokes access', async () => {
    const ben = await connect(lab, endpoints, 'ben', policy.scopes);
    const revoke = (token: string) =>
      fetch(`${lab.url}/oura/api/oauth/revoke?access_token=${token}`, { method: 'POST' });
    expect((await revoke('unknown')).status).toBe(401);
    expect((await fetch(`${lab.url}/oura/api/oauth/revoke`, { method: 'POST' })).status).toBe(400);
    expect((await revoke(ben.accessToken)).status).toBe(200);
    expect((await ben.get(`${base}/personal_info`)).status).toBe(401);
    expect((await refresh(lab, endpoints, ben.refreshToken ?? '')).status).toBe(400);

    const chen = await connect(lab, endpoints, 'chen', policy.scopes);
    lab.revoke(lab.grants('oura').find(({ personId }) => personId === 'chen')!.id);
    const { status, body } = await chen.get(`${base}/sleep`);
    expect([status, Object.keys(body)]).toEqual([401, ['detail']]);
  });
});

test('blocks only the routes of a missing scope', async () => {
  const opens: Record<string, string[]> = {
    daily: ['daily_activity', 'sleep', 'daily_sleep', 'daily_readiness', 'sleep_time', 'rest_mode_period'],
    heartrate: ['heartrate'],
    workout: ['workout'],
    session: ['session'],
    tag: ['enhanced_tag'],
    spo2: ['daily_spo2'],
    spo2Daily: ['daily_spo2'],
    stress: ['daily_stress', 'daily_resilience'],
    heart_health: ['vO2_max', 'daily_cardiovascular_age'],
    ring_configuration: ['ring_configuration'],
  };
  const all = [...new Set(Object.values(opens).flat())];
  for (const [scope, open] of Object.entries(opens)) {
    const dara = await connect(lab, endpoints, 'dara', [scope]);
    for (const name of all)
      expect((await dara.get(`${base}/${name}`)).status, `${scope} ${name}`).toBe(
        open.includes(name) ? 200 : 403,
      );
    expect((await dara.get(`${base}/personal_info`)).status).toBe(200);
  }
});

test('does not return data of another user', async () => {
  const [ada, ben] = [
    await connect(lab, endpoints, 'ada', policy.scopes),
    await connect(lab, endpoints, 'ben', policy.scopes),
  ];
  const { body } = await ada.get(`${base}/sleep?start_date=2026-04-10&end_date=2026-04-11`);
  const path = `${base}/sleep/${body.data[0].id}`;
  expect((await ada.get(path)).body).toEqual(body.data[0]);
  expect((await ben.get(path)).status).toBe(404);
  expect((await fetch(`${lab.url}${path}`)).status).toBe(401);
});

test('allows 5000 calls in five minutes, then returns 429 until the window ends', async () => {
  await using own = await startLab({ providers: [oura], startAt: Date.parse('2026-04-20T12:00:00Z') });
  const ada = await connect(own, endpoints, 'ada', ['daily']);
  const call = () => ada.get(`${base}/personal_info`);
  expect(await countGood(own.url, `${base}/personal_info`, ada.accessToken, 5000)).toBe(5000);
  await own.clock.advance(10_000);
  const { status, headers } = await call();
  expect(status).toBe(429);
  expect(
    Object.fromEntries(
      ['retry-after', 'limit', 'window', 'reset', 'tier'].map((name) => [
        name,
        headers.get(name === 'retry-after' ? name : `x-ratelimit-${name}`),
      ]),
    ),
  ).toEqual({
    'retry-after': '290',
    limit: '5000',
    window: '300',
    reset: String(Date.parse('2026-04-20T12:05:00Z') / 1000),
    tier: 'token',
  });
  // The app as a whole is over its own limit too.
  const ben = await connect(own, endpoints, 'ben', ['daily']);
  expect((await ben.get(`${base}/personal_info`)).headers.get('x-ratelimit-tier')).toBe('app');
  await own.clock.advance(290_000);
  expect((await call()).status).toBe(200);
});

/** Pipelines many calls over one connection, which is faster than sending them one by one. Returns how many succeeded. */
async function countGood(url: string, path: string, token: string, calls: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  const head = `GET ${path} HTTP/1.1\r\nHost: lab\r\nAuthorization: Bearer ${token}\r\n`;
  socket.write(`${head}\r\n`.repeat(calls - 1) + `${head}Connection: close\r\n\r\n`);
  return (await text(socket)).split('HTTP/1.1 200 OK').length - 1;
}
