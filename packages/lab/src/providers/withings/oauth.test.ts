import { describe, expect, it } from 'vitest';
import type { Lab } from '../../lab-type.ts';
import {
  allScopes,
  call,
  connect,
  consent,
  noon,
  sign,
  startWithings,
  testApp,
  tokenRequest,
} from './test-client.ts';

const device = { action: 'getdevice' };

async function nonceOf(lab: Lab): Promise<string> {
  const fields = { action: 'getnonce', client_id: testApp.clientId, timestamp: String(noon / 1000) };
  const { body } = await call(lab, '/v2/signature', { ...fields, signature: sign(fields) });
  return body.nonce;
}

function refreshRequest(refresh: string): Record<string, string> {
  const { clientId: client_id, clientSecret: client_secret } = testApp;
  return {
    action: 'requesttoken',
    grant_type: 'refresh_token',
    client_id,
    client_secret,
    refresh_token: refresh,
  };
}

describe('tokens', () => {
  it('are returned inside the body, for a code that works once and within 30 seconds', async () => {
    await using lab = await startWithings();
    const request = tokenRequest(lab, await consent(lab, 'ada'));
    const first = await call(lab, '/v2/oauth2', request);
    expect(first).toMatchObject({
      http: 200,
      status: 0,
      body: { expires_in: 10_800, token_type: 'Bearer', scope: allScopes.join(',') },
    });
    expect(first.body.userid).toBe(lab.grants('withings')[0]?.userId);
    expect(await call(lab, '/v2/user', device, first.body.access_token)).toMatchObject({ status: 0 });
    expect(await call(lab, '/v2/oauth2', request)).toEqual({ http: 200, status: 503, body: {} });

    const late = tokenRequest(lab, await consent(lab, 'ada'));
    await lab.clock.advance(30_000);
    expect((await call(lab, '/v2/oauth2', late)).status).toBe(503);
  });

  it('are not issued to an app with a wrong secret', async () => {
    await using lab = await startWithings();
    const request = { ...tokenRequest(lab, await consent(lab, 'ada')), client_secret: 'wrong' };
    expect(await call(lab, '/v2/oauth2', request)).toEqual({ http: 200, status: 401, body: {} });
  });

  it('can be requested with a signature instead of the secret, using a nonce once', async () => {
    await using lab = await startWithings();
    const { client_secret: _, ...request } = tokenRequest(lab, await consent(lab, 'ada'));
    const nonce = await nonceOf(lab);
    const signature = sign({ ...request, nonce });
    const wrong = sign({ ...request, nonce }, 'not the secret');
    expect((await call(lab, '/v2/oauth2', { ...request, nonce, signature: wrong })).status).toBe(503);
    expect((await call(lab, '/v2/oauth2', { ...request, nonce, signature })).status).toBe(0);
    const again = { ...request, code: await consent(lab, 'ada') };
    expect((await call(lab, '/v2/oauth2', { ...again, nonce, signature })).status).toBe(503);
  });

  it('require a nonce less than half an hour old', async () => {
    await using lab = await startWithings();
    const nonce = await nonceOf(lab);
    await lab.clock.advance(30 * 60_000);
    const { client_secret: _, ...request } = tokenRequest(lab, await consent(lab, 'ada'));
    const signature = sign({ ...request, nonce });
    expect((await call(lab, '/v2/oauth2', { ...request, nonce, signature })).status).toBe(503);
  });

  it('can be refreshed, and the previous refresh token works until the new access token is used', async () => {
    await using lab = await startWithings();
    const { refresh, token } = await connect(lab, 'ada');
    const second = await call(lab, '/v2/oauth2', refreshRequest(refresh));
    expect(second.body.refresh_token).not.toBe(refresh);
    await lab.clock.advance(7 * 3_600_000);
    expect((await call(lab, '/v2/user', device, token)).status).toBe(401);
    const third = await call(lab, '/v2/oauth2', refreshRequest(refresh));
    expect(third.status).toBe(0);
    expect((await call(lab, '/v2/user', device, third.body.access_token)).status).toBe(0);
    expect((await call(lab, '/v2/oauth2', refreshRequest(refresh))).status).toBe(503);
    // Reusing an old token signs the user out.
    expect((await call(lab, '/v2/user', device, third.body.access_token)).status).toBe(401);
  });
});

describe('revocation', () => {
  it('requires a signature', async () => {
    await using lab = await startWithings();
    const { token, userid } = await connect(lab, 'ada');
    const fields = { action: 'revoke', client_id: testApp.clientId, nonce: await nonceOf(lab), userid };
    expect((await call(lab, '/v2/oauth2', { ...fields, signature: sign(fields, 'wrong') })).status).toBe(503);
    expect((await call(lab, '/v2/user', device, token)).status).toBe(0);
    expect((await call(lab, '/v2/oauth2', { ...fields, signature: sign(fields) })).status).toBe(0);
    expect(await call(lab, '/v2/user', device, token)).toEqual({ http: 200, status: 401, body: {} });
  });

  it('appears as status 401 in HTTP 200, like any invalid token', async () => {
    await using lab = await startWithings();
    const { token } = await connect(lab, 'ada');
    lab.revoke(lab.grants('withings')[0]!.id);
    for (const [path, action] of [
      ['/v2/measure', 'getactivity'],
      ['/v2/sleep', 'getsummary'],
      ['/measure', 'getmeas'],
      ['/notify', 'list'],
    ] as const) {
      expect(await call(lab, path, { action, lastupdate: 0 }, token)).toEqual({
        http: 200,
        status: 401,
        body: {},
      });
      expect(await call(lab, path, { action, lastupdate: 0 })).toEqual({ http: 200, status: 401, body: {} });
    }
  });
});

it('rejects requests that the user has not permitted', async () => {
  await using lab = await startWithings();
  const { token } = await connect(lab, 'ada', ['user.info']);
  expect((await call(lab, '/v2/user', device, token)).status).toBe(0);
  expect((await call(lab, '/measure', { action: 'getmeas', lastupdate: 0 }, token)).status).toBe(214);
  expect((await call(lab, '/v2/sleep', { action: 'getsummary', lastupdate: 0 }, token)).status).toBe(214);
});

it('counts 120 calls a minute for the whole app, and reports it inside HTTP 200', async () => {
  await using lab = await startWithings();
  const { token: ada } = await connect(lab, 'ada');
  const { token: ben } = await connect(lab, 'ben');
  for (let callCount = 0; callCount < 120; callCount += 1)
    expect((await call(lab, '/v2/user', device, callCount % 2 ? ada : ben)).status).toBe(0);
  expect(await call(lab, '/v2/user', device, ada)).toEqual({ http: 200, status: 601, body: {} });
  await lab.clock.advance(60_000);
  expect((await call(lab, '/v2/user', device, ada)).status).toBe(0);
});
