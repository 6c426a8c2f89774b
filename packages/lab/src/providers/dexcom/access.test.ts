import { expect, test } from 'vitest';
import { startLab, type StartLabOptions } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import { keepLimits } from '../../world/limits.ts';
import { connect, consent, credentialsOf, getJson, refresh } from '../../test/connect-person.ts';
import { dexcom } from './index.ts';
import { limitRules, policy } from './policy.ts';

const endpoints = { authorize: '/dexcom/v2/oauth2/login', token: '/dexcom/v2/oauth2/token' };
const newer = { authorize: '/dexcom/v3/oauth2/login', token: '/dexcom/v3/oauth2/token' };
const base = '/dexcom/v3/users/self';
const startAt = Date.parse('2026-04-20T12:00:00Z');
const start = (options: StartLabOptions = {}) => startLab({ providers: [dexcom], startAt, ...options });
const exchange = async (lab: Lab, code: string, more: Record<string, string> = {}) => {
  const fields = { ...credentialsOf(lab), grant_type: 'authorization_code', code, ...more };
  const response = await fetch(`${lab.url}${endpoints.token}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
  return [response.status, await response.json()];
};

test('issues tokens for two hours, and a refresh token only with offline_access', async () => {
  await using lab = await start();
  for (const paths of [endpoints, newer]) {
    const { body } = await connect(lab, paths, 'ben', policy.scopes);
    expect(body).toEqual({
      access_token: expect.any(String),
      expires_in: 7200,
      token_type: 'Bearer',
      refresh_token: expect.any(String),
    });
  }
  const without = await connect(lab, endpoints, 'ben', []);
  expect(without.refreshToken).toBeUndefined();
  await lab.clock.advance(7_200_000);
  expect((await without.get(`${base}/dataRange`)).status).toBe(401);
});

test('expires a code after one minute and requires the redirect URI', async () => {
  await using lab = await start();
  const redirect = { redirect_uri: `${lab.url}/lab/callback` };
  const newCode = async () =>
    (await consent(lab, endpoints, 'ben', policy.scopes)).searchParams.get('code') ?? '';
  expect(await exchange(lab, await newCode())).toEqual([400, { error: 'invalid_request' }]);
  const other = { redirect_uri: 'https://other.example/' };
  expect(await exchange(lab, await newCode(), other)).toEqual([400, { error: 'invalid_grant' }]);
  const wrong = { ...redirect, client_secret: 'wrong' };
  expect(await exchange(lab, await newCode(), wrong)).toEqual([401, { error: 'invalid_client' }]);
  const code = await newCode();
  await lab.clock.advance(59_999);
  expect((await exchange(lab, code, redirect))[0]).toBe(200);
  const late = await newCode();
  await lab.clock.advance(60_000);
  expect(await exchange(lab, late, redirect)).toEqual([400, { error: 'invalid_grant' }]);
});

test('invalidates the previous refresh token on each refresh', async () => {
  await using lab = await start();
  const { refreshToken = '' } = await connect(lab, endpoints, 'ben', policy.scopes);
  const next = await refresh(lab, endpoints, refreshToken);
  expect(next.status).toBe(200);
  expect(next.body.refresh_token).not.toBe(refreshToken);
  expect(await refresh(lab, endpoints, refreshToken)).toEqual({
    status: 400,
    body: { error: 'invalid_grant' },
  });
  expect((await refresh(lab, newer, next.body.refresh_token)).status).toBe(200);
});

test('ends the tokens when the user revokes access in their account, which has no endpoint', async () => {
  await using lab = await start();
  const ben = await connect(lab, endpoints, 'ben', policy.scopes);
  const finn = await connect(lab, endpoints, 'finn', policy.scopes);
  expect((await ben.get(`${base}/dataRange`)).status).toBe(200);
  lab.revoke(lab.grants('dexcom')[0]!.id);
  expect(await ben.get(`${base}/dataRange`)).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
  expect((await refresh(lab, endpoints, ben.refreshToken ?? '')).status).toBe(400);
  expect((await finn.get(`${base}/dataRange`)).status).toBe(200);
  for (const name of ['egvs', 'events', 'calibrations', 'alerts', 'devices', 'dataRange'])
    expect((await getJson(`${lab.url}${base}/${name}`, 'none')).status, name).toBe(401);
});

test('allows 60,000 calls an hour for all users of an app', () => {
  let now = startAt;
  const limits = keepLimits({ now: () => now, isStruck: () => false, onExceeded: () => {} });
  const isOver = (user: string) => limits.take(limitRules, 'lab-app', user).some(({ exceeded }) => exceeded);
  for (let calls = 1; calls < 60_000; calls += 1) isOver(`user-${calls % 7}`);
  expect([isOver('ben'), isOver('finn')]).toEqual([false, true]);
  now += 3_599_999;
  expect(isOver('ben')).toBe(true);
  now += 1;
  expect(isOver('ben')).toBe(false);
});

test('returns 429 over the limit', async () => {
  await using lab = await start({ faults: [{ kind: 'limited', rate: 1 }] });
  const ben = await connect(lab, endpoints, 'ben', policy.scopes);
  expect(await ben.get(`${base}/dataRange`)).toMatchObject({
    status: 429,
    body: { error: 'too_many_requests' },
  });
});
