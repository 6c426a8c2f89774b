import { expect, test } from 'vitest';
import { startLab } from '../../lab.ts';
import { connect, refresh } from '../../test/connect-person.ts';
import { dataTypes } from './batches/data-types.ts';
import { googleHealth } from './index.ts';
import { policy, scopeOf } from './policy.ts';
import { connectAll, endpoints, pointsPath, usersMe } from './test-client.ts';

const start = () => startLab({ providers: [googleHealth], startAt: Date.parse('2026-04-20T12:00:00Z') });
const authorize = '/google_health/accounts/o/oauth2/v2/auth';

test('issues a refresh token with offline access, again only when consent is prompted, and never rotates it', async () => {
  await using lab = await start();
  const connectWith = (query: string) =>
    connect(lab, { ...endpoints, authorize: `${authorize}${query}` }, 'ada', [scopeOf('sleep')]);
  expect((await connectWith('')).refreshToken).toBeUndefined();
  const first = await connectWith('?access_type=offline');
  expect(first.body).toEqual({
    access_token: expect.any(String),
    expires_in: 3600,
    refresh_token: expect.any(String),
    scope: 'https://www.googleapis.com/auth/googlehealth.sleep.readonly',
    token_type: 'Bearer',
  });
  expect((await connectWith('?access_type=offline')).refreshToken).toBeUndefined();
  expect((await connectWith('?access_type=offline&prompt=consent')).refreshToken).toEqual(expect.any(String));
  for (let times = 0; times < 2; times += 1) {
    const next = await refresh(lab, endpoints, first.refreshToken!);
    expect([next.status, next.body.refresh_token]).toEqual([200, undefined]);
  }
  expect((await refresh(lab, endpoints, first.refreshToken!, { client_secret: 'wrong' })).status).toBe(401);
  await lab.clock.advance(3_600_000);
  expect((await first.get(`${usersMe}/identity`)).status).toBe(401);
});

test('revokes the grant when either of its tokens is revoked', async () => {
  await using lab = await start();
  const revoke = (token: string) =>
    fetch(`${lab.url}/google_health/oauth2/revoke?token=${token}`, { method: 'POST' });
  for (const which of ['accessToken', 'refreshToken'] as const) {
    const ada = await connectAll(lab, 'ada');
    expect((await ada.get(`${usersMe}/identity`)).status).toBe(200);
    expect((await revoke(ada[which]!)).status).toBe(200);
    expect(await ada.get(`${usersMe}/identity`)).toMatchObject({
      status: 401,
      body: { error: { code: 401, status: 'UNAUTHENTICATED', message: expect.any(String) } },
    });
    expect(await refresh(lab, endpoints, ada.refreshToken!)).toEqual({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect((await revoke(ada[which]!)).status).toBe(400);
  }
  const ben = await connectAll(lab, 'ben');
  lab.revoke(lab.grants('google_health').find(({ personId }) => personId === 'ben')!.id);
  expect((await ben.get(`${usersMe}/identity`)).status).toBe(401);
});

test('limits each scope to its own data types', async () => {
  await using lab = await start();
  for (const word of ['activity_and_fitness', 'health_metrics_and_measurements', 'sleep'] as const) {
    const ada = await connect(lab, endpoints, 'ada', [scopeOf(word)]);
    await lab.clock.advance(60_000);
    for (const { name, scope, isListed } of dataTypes.values()) {
      const { status, body } = await ada.get(pointsPath(name, { pageSize: '1' }));
      expect(status, `${word} ${name}`).toBe(scope !== word ? 403 : isListed ? 200 : 400);
      if (status === 403) expect(body.error.details[0].reason).toBe('ACCESS_TOKEN_SCOPE_INSUFFICIENT');
    }
    expect((await ada.get(`${usersMe}/profile`)).status).toBe(403);
    expect((await ada.get(`${usersMe}/settings`)).status).toBe(403);
    expect((await ada.get(`${usersMe}/identity`)).status).toBe(200);
  }
});

test('returns identity, profile and settings', async () => {
  await using lab = await start();
  const gita = await connect(lab, endpoints, 'gita', policy.scopes);
  const { body: identity } = await gita.get(`${usersMe}/identity`);
  expect(identity).toMatchObject({
    healthUserId: lab.grants('google_health')[0]!.userId,
    legacyUserId: expect.stringMatching(/^[A-Z2-9]{6}$/),
  });
  const byId = usersMe.replace(/me$/, identity.healthUserId);
  expect((await gita.get(`${byId}/identity`)).body).toEqual(identity);
  expect((await gita.get(`${usersMe}2/identity`)).status).toBe(403);
  expect((await gita.get(`${usersMe}/settings`)).body).toMatchObject({
    timeZone: 'Asia/Kathmandu',
    utcOffset: '20700s',
  });
  const { membershipStartDate: since } = (await gita.get(`${usersMe}/profile`)).body;
  expect(since).toEqual({ year: expect.any(Number), month: expect.any(Number), day: expect.any(Number) });
  expect((await gita.get(`${usersMe}/pairedDevices`)).body.pairedDevices).toHaveLength(1);
});

test('allows a user 300 calls a minute', async () => {
  await using lab = await start();
  const ada = await connectAll(lab, 'ada');
  const ben = await connectAll(lab, 'ben');
  for (let calls = 0; calls < 300; calls += 1)
    expect((await ada.get(`${usersMe}/identity`)).status).toBe(200);
  expect(await ada.get(`${usersMe}/identity`)).toMatchObject({
    status: 429,
    body: { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } },
  });
  expect((await ben.get(`${usersMe}/identity`)).status).toBe(200);
  await lab.clock.advance(60_000);
  expect((await ada.get(`${usersMe}/identity`)).status).toBe(200);
});
