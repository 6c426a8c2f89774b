import { expect, test } from 'vitest';
import { credentialsOf } from '../../test/connect-person.ts';
import { requestTokens, connect, renew, send, startStrava } from './test-client.ts';

const errorOf = (resource: string, field: string, code = 'invalid') => ({
  message: expect.any(String),
  errors: [{ resource, field, code }],
});
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('exchanges a code for tokens with the athlete, and returns the granted scopes in the callback', async () => {
  await using lab = await startStrava();
  const { tokens, returned, get } = await connect(lab, 'ada', ['read', 'activity:read']);
  expect(returned.searchParams.get('scope')).toBe('read,activity:read');
  const id = Number(lab.grants('strava')[0]?.userId);
  expect(tokens).toEqual({
    token_type: 'Bearer',
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    expires_at: lab.clock.now() / 1000 + 21_600,
    expires_in: 21_600,
    athlete: { id },
  });
  expect((await get('/athlete')).body).toEqual({ id });
});

test('returns the same access token from a refresh while more than an hour is left, then a new one', async () => {
  await using lab = await startStrava();
  const { tokens, get } = await connect(lab, 'ada');
  await lab.clock.advance(5 * 3_600_000 - 1000);
  const same = await renew(lab, tokens.refresh_token);
  expect(same.body).toEqual({
    token_type: 'Bearer',
    access_token: tokens.access_token,
    refresh_token: tokens.refresh_token,
    expires_at: tokens.expires_at,
    expires_in: 3601,
  });
  await lab.clock.advance(1000);
  const next = await renew(lab, tokens.refresh_token);
  expect(next.body.access_token).not.toBe(tokens.access_token);
  expect(next.body.expires_in).toBe(21_600);
  expect(next.body).not.toHaveProperty('athlete');
  // The previous token stays valid for its last hour.
  expect((await get('/athlete')).status).toBe(200);
  await lab.clock.advance(3_600_000);
  expect((await get('/athlete')).status).toBe(401);
});

test('sometimes returns a new refresh token, which invalidates the previous one', async () => {
  await using lab = await startStrava();
  let token = (await connect(lab, 'ada')).tokens.refresh_token;
  const changed = new Set<boolean>();
  for (let times = 0; times < 12; times += 1) {
    await lab.clock.advance(6 * 3_600_000);
    const { status, body } = await renew(lab, token);
    expect(status).toBe(200);
    changed.add(body.refresh_token !== token);
    if (body.refresh_token !== token)
      expect(await renew(lab, token)).toMatchObject({
        status: 400,
        body: errorOf('RefreshToken', 'refresh_token'),
      });
    token = body.refresh_token;
  }
  expect(changed).toEqual(new Set([true, false]));
});

test('reports what is wrong with a token request', async () => {
  await using lab = await startStrava();
  const { tokens } = await connect(lab, 'ada');
  const tokenResult = async (fields: Record<string, string>) => {
    const { status, body } = await requestTokens(lab, fields);
    return [status, body];
  };
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  expect(await tokenResult({ ...refresh, client_secret: 'wrong' })).toEqual([
    401,
    errorOf('Application', 'client_id'),
  ]);
  expect(await tokenResult({ grant_type: 'authorization_code', code: 'none' })).toEqual([
    400,
    errorOf('AuthorizationCode', 'code'),
  ]);
  expect(await tokenResult({ grant_type: 'password' })).toEqual([400, errorOf('Application', 'grant_type')]);
  const twice = await fetch(`${lab.url}/strava/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams([...Object.entries(refresh), ['refresh_token', 'again']]),
  });
  expect(twice.status).toBe(400);
});

test('deauthorizes only that user, completely', async () => {
  await using lab = await startStrava();
  const [ada, ben] = [await connect(lab, 'ada'), await connect(lab, 'ben')];
  expect((await send(lab, '/oauth/deauthorize', {}, bearer('none'))).status).toBe(401);
  const ended = await send(lab, '/oauth/deauthorize', {}, bearer(ada.tokens.access_token));
  expect(ended).toMatchObject({ status: 200, body: { access_token: ada.tokens.access_token } });
  expect(await ada.get('/athlete')).toMatchObject({
    status: 401,
    body: errorOf('Athlete', 'access_token'),
  });
  expect((await renew(lab, ada.tokens.refresh_token)).status).toBe(400);
  expect((await ben.get('/athlete')).status).toBe(200);
  lab.revoke(lab.grants('strava').find(({ personId }) => personId === 'ben')!.id);
  expect((await ben.get('/athlete')).status).toBe(401);
});

test('revokes either token, but none of another app', async () => {
  const others = { clientId: 'other-app', clientSecret: 'other-secret' };
  await using lab = await startStrava({ apps: [{}, others] });
  const { client_id: id, client_secret: secret } = credentialsOf(lab);
  const basic = (user: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  });
  const revoke = async (token: string, headers: Record<string, string>) =>
    (await send(lab, '/oauth/revoke', { token }, headers)).status;
  for (const name of ['access_token', 'refresh_token']) {
    const { tokens, get } = await connect(lab, 'ada');
    expect(await revoke(tokens[name], basic(id, 'wrong'))).toBe(401);
    expect(await revoke(tokens[name], basic('other-app', 'other-secret'))).toBe(200);
    expect((await get('/athlete')).status).toBe(200);
    expect(await revoke(tokens[name], basic(id, secret))).toBe(200);
    expect((await get('/athlete')).status).toBe(401);
  }
  expect(await revoke('unknown', basic(id, secret))).toBe(200);
});
