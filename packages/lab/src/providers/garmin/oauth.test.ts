import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { receive } from '../test-receiver.ts';
import {
  allPermissions,
  api,
  requestTokens,
  connect,
  consent,
  rowsOf,
  startGarmin,
  testApp,
  until,
} from './test-client.ts';

it('issues tokens only with the verifier of the challenge', async () => {
  await using lab = await startGarmin();
  const without = await consent(lab, 'ada', allPermissions);
  expect(without.searchParams.get('error')).toBe('invalid_request');
  const verifier = 'one-verifier-that-is-long-enough-for-everybody-to-like';
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const request = async (code_verifier: string) => ({
    grant_type: 'authorization_code',
    code: (await consent(lab, 'ada', allPermissions, challenge)).searchParams.get('code') ?? '',
    redirect_uri: `${lab.url}/lab/callback`,
    code_verifier,
  });
  expect(await requestTokens(lab, await request('another'))).toEqual({
    status: 400,
    body: { error: 'invalid_grant' },
  });
  expect(await requestTokens(lab, { ...(await request(verifier)), client_secret: 'wrong' })).toEqual({
    status: 401,
    body: { error: 'invalid_client' },
  });
  expect((await requestTokens(lab, await request(verifier))).body).toMatchObject({
    expires_in: 86_400,
    token_type: 'bearer',
  });
});

it('rotates refresh tokens, which live 90 days', async () => {
  await using lab = await startGarmin();
  const { token, refresh } = await connect(lab, 'ada');
  await lab.clock.advance(86_400_000);
  expect((await api(lab, '/wellness-api/rest/user/id', token)).status).toBe(401);
  const second = await requestTokens(lab, { grant_type: 'refresh_token', refresh_token: refresh });
  expect((await api(lab, '/wellness-api/rest/user/id', second.body.access_token)).status).toBe(200);
  const again = await requestTokens(lab, { grant_type: 'refresh_token', refresh_token: refresh });
  expect(again).toEqual({ status: 400, body: { error: 'invalid_grant' } });
  await lab.clock.advance(90 * 86_400_000);
  const late = await requestTokens(lab, {
    grant_type: 'refresh_token',
    refresh_token: second.body.refresh_token,
  });
  expect(late.status).toBe(400);
});

it('returns the user id and permissions, under both paths', async () => {
  await using lab = await startGarmin();
  const { token } = await connect(lab, 'ada', ['HEALTH_EXPORT']);
  for (const name of ['wellness-api', 'partner-gateway']) {
    expect((await api(lab, `/${name}/rest/user/id`, token)).body).toEqual({
      userId: lab.grants('garmin')[0]!.userId,
    });
    expect((await api(lab, `/${name}/rest/user/permissions`, token)).body).toEqual({
      permissions: ['HEALTH_EXPORT'],
    });
    expect((await api(lab, `/${name}/rest/user/id`)).status).toBe(401);
  }
});

it('deletes a registration without notifying the app that requested it', async () => {
  await using receiver = await receive();
  await using lab = await startGarmin(receiver);
  const { token } = await connect(lab, 'ada');
  expect((await api(lab, '/wellness-api/rest/user/registration', token, 'DELETE')).status).toBe(204);
  expect((await api(lab, '/wellness-api/rest/user/id', token)).status).toBe(401);
  await lab.pushes.idle();
  await lab.clock.advance(86_400_000);
  expect(receiver.received).toEqual([]);
});

it('notifies the app when a user leaves, and sends nothing afterward', async () => {
  await using receiver = await receive();
  await using lab = await startGarmin(receiver);
  const { token } = await connect(lab, 'ada');
  const { id, userId } = lab.grants('garmin')[0]!;
  lab.revoke(id);
  await lab.pushes.idle();
  await lab.clock.advance(86_400_000);
  expect((await api(lab, '/wellness-api/rest/user/id', token)).status).toBe(401);
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toEqual([{ deregistrations: [{ userId }] }]);
});

it('notifies the app when a user changes permissions, and respects them', async () => {
  await using receiver = await receive();
  await using lab = await startGarmin(receiver);
  const { token } = await connect(lab, 'ada');
  const { userId } = lab.grants('garmin')[0]!;
  const change = (body: object) =>
    fetch(`${lab.url}/garmin/portal/permissions`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await change({ user_id: 'unknown', permissions: [] })).status).toBe(404);
  expect((await change({ user_id: userId, permissions: ['EVERYTHING'] })).status).toBe(400);
  expect((await change({ user_id: userId, permissions: ['ACTIVITY_EXPORT'] })).status).toBe(200);
  await until(() => receiver.received.length > 0);
  expect(rowsOf(receiver, 'userPermissionsChange')).toEqual([{ userId, permissions: ['ACTIVITY_EXPORT'] }]);
  expect((await api(lab, '/wellness-api/rest/user/permissions', token)).body.permissions).toEqual([
    'ACTIVITY_EXPORT',
  ]);
  await lab.clock.advance(5 * 86_400_000);
  const keys = new Set(receiver.received.slice(1).flatMap(({ body }) => Object.keys(JSON.parse(body))));
  expect(keys).toEqual(new Set(['activities', 'activityDetails']));
});

it('rejects more than 100 calls a minute from an app', async () => {
  await using lab = await startGarmin();
  const { token } = await connect(lab, 'ada');
  for (let callCount = 0; callCount < 100; callCount += 1)
    expect((await api(lab, '/wellness-api/rest/user/id', token)).status).toBe(200);
  expect((await api(lab, '/wellness-api/rest/user/id', token)).status).toBe(429);
  await lab.clock.advance(60_000);
  expect((await api(lab, '/wellness-api/rest/user/id', token)).status).toBe(200);
});

it('accepts URLs only with the secret of the app', async () => {
  await using lab = await startGarmin();
  const put = (body: object) =>
    fetch(`${lab.url}/garmin/portal/endpoints`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const who = { client_id: testApp.clientId, client_secret: testApp.clientSecret };
  const endpoints = { dailies: { url: 'http://127.0.0.1:9/', mode: 'ping' } };
  expect((await put({ ...who, client_secret: 'wrong', endpoints })).status).toBe(401);
  expect((await put({ ...who, endpoints: { dailies: { url: 'nowhere', mode: 'ping' } } })).status).toBe(400);
  expect(
    (await put({ ...who, endpoints: { dailies: { url: 'http://127.0.0.1:9/', mode: 'shout' } } })).status,
  ).toBe(400);
  expect(await (await put({ ...who, endpoints })).json()).toEqual(endpoints);
});
