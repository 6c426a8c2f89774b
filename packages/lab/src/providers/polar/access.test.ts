import { expect, test } from 'vitest';
import { startLab } from '../../lab.ts';
import { consent } from '../../test/connect-person.ts';
import { polar } from './index.ts';
import { policy } from './policy.ts';
import { authorize, connectPolar, endpoints, exchange } from './test-client.ts';

const start = () => startLab({ providers: [polar], startAt: Date.parse('2026-04-20T12:00:00Z') });

test('issues a token for ten years with the user id, to an app that uses Basic authentication', async () => {
  await using lab = await start();
  const redirect = lab.apps[0]!.redirectUris[0]!;
  const codeOf = async () =>
    (await consent(lab, endpoints, 'ada', policy.scopes)).searchParams.get('code') ?? '';
  const wrong = `Basic ${Buffer.from('lab-app:wrong').toString('base64')}`;
  expect((await exchange(lab, { code: await codeOf(), redirect_uri: redirect }, wrong)).status).toBe(401);
  const inBody = { client_id: 'lab-app', client_secret: 'lab-app-secret' };
  expect((await exchange(lab, { ...inBody, code: await codeOf(), redirect_uri: redirect }, '')).status).toBe(
    401,
  );
  // A redirect URI from the consent request must be repeated here.
  const code = await codeOf();
  expect((await exchange(lab, { code })).status).toBe(400);
  const { status, body } = await exchange(lab, { code, redirect_uri: redirect });
  expect([status, body]).toEqual([
    200,
    {
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 315_359_999,
      x_user_id: Number(lab.grants('polar')[0]!.userId),
    },
  ]);
  expect(await exchange(lab, { code, redirect_uri: redirect })).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  });
  expect((await exchange(lab, { grant_type: 'refresh_token', refresh_token: 'x' })).body.error).toBe(
    'unsupported_grant_type',
  );
});

test('returns no data before the user is registered, once and under one name', async () => {
  await using lab = await start();
  const ada = await authorize(lab, 'ada');
  const refused = await ada.get('/users/sleep');
  expect(refused).toMatchObject({
    status: 403,
    body: {
      timestamp: '2026-04-20T12:00:00.000Z',
      status: 403,
      errorType: expect.any(String),
      message: expect.any(String),
      corrId: expect.any(String),
    },
  });
  expect((await ada.call('POST', '/users', {})).status).toBe(400);
  const { status, body } = await ada.call('POST', '/users', { 'member-id': 'ours' });
  expect([status, body]).toMatchObject([
    200,
    { 'polar-user-id': ada.token.x_user_id, 'member-id': 'ours', 'first-name': 'Ada' },
  ]);
  expect((await ada.get('/users/sleep')).status).toBe(200);
  expect((await ada.call('POST', '/users', { 'member-id': 'other' })).status).toBe(409);
  const ben = await authorize(lab, 'ben');
  expect((await ben.call('POST', '/users', { 'member-id': 'ours' })).status).toBe(409);
  expect((await ben.call('POST', '/users', { 'member-id': 'of-ben' })).status).toBe(200);
  expect((await ben.get(`/users/${ada.token.x_user_id}`)).status).toBe(403);
  expect((await ada.get(`/users/${ada.token.x_user_id}`)).body).toEqual(body);
});

test('does not register a user who has not consented', async () => {
  await using lab = await start();
  const returned = await consent(lab, endpoints, 'ada', []);
  const ada = await authorize(lab, 'ada', []);
  expect(returned.searchParams.get('code')).toEqual(expect.any(String));
  expect((await ada.call('POST', '/users', { 'member-id': 'ours' })).status).toBe(403);
});

test('ends the token of a deleted user, who may register again', async () => {
  await using lab = await start();
  const ada = await connectPolar(lab, 'ada');
  const ben = await connectPolar(lab, 'ben');
  expect((await ben.call('DELETE', `/users/${ada.token.x_user_id}`)).status).toBe(403);
  expect((await ada.call('DELETE', `/users/${ada.token.x_user_id}`)).status).toBe(204);
  expect((await ada.get('/users/sleep')).status).toBe(401);
  expect((await (await connectPolar(lab, 'ada')).get('/users/sleep')).status).toBe(200);
  lab.revoke(lab.grants('polar').find(({ personId }) => personId === 'ben')!.id);
  expect((await ben.get('/users/sleep')).status).toBe(401);
});

test('raises the 15-minute and daily limits with the number of users', async () => {
  await using lab = await start();
  const ada = await connectPolar(lab, 'ada');
  const call = async () => {
    const { status, headers } = await ada.get('/users/physical-info');
    return [status, ...['usage', 'limit', 'reset'].map((name) => headers.get(`ratelimit-${name}`))];
  };
  expect(await call()).toEqual([200, '1, 1', '520, 5100', '900, 86400']);
  await lab.clock.advance(100_000);
  for (let calls = 2; calls < 520; calls += 1) await call();
  expect(await call()).toEqual([200, '520, 520', '520, 5100', '800, 86300']);
  expect((await call())[0]).toBe(429);
  expect(lab.counts('polar').exceeded).toEqual({ '520/900s/app': 1 });
  await lab.clock.advance(800_000);
  expect(await call()).toEqual([200, '1, 521', '520, 5100', '900, 85500']);
  await connectPolar(lab, 'ben');
  expect((await call())[2]).toBe('540, 5200');
});
