import {
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
  sign,
  type KeyObject,
} from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyring } from '../../credentials/keyring.ts';
import { openSdkToken, sealSdkToken, type SdkIdentity } from '../../credentials/sdk-token.ts';
import { createSecretToken } from '../../credentials/secret-token.ts';
import { formatId, parseId } from '../../ids.ts';
import { sdkOf } from '../../test/data/sdk.ts';
import { startTestApp, type TestAccount, type TestApp } from '../../test/apps/test-app.ts';
import { createApiKey } from '../api-keys/create-api-key.ts';
import { revokeApiKey } from '../api-keys/revoke-api-key.ts';
import { rotateSigningKey } from '../signing-keys/rotate-signing-key.ts';
import { updateAccount } from '../accounts/update-account.ts';
import { testActor } from '../../test/acting.ts';

let app: TestApp;
let other: TestAccount;
let userId: string;
let foreignUserId: string;
let userToken: string;
let mobileToken: string;
/** Real credentials of an SDK session of the same user. */
let session: { access_token: string; refresh_token: string; client_token: string; session_id: string };
let kid: string;
let ownKey: KeyObject;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Forgery {
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
  key?: KeyObject | null;
}

/** A token like ours except for the given changes. Without changes it is accepted, which a test below proves. */
function forge({ header = {}, claims = {}, key = ownKey }: Forgery = {}): string {
  const now = Math.floor(app.ctx.clock.now() / 1000);
  const content = `${encode({ alg: 'EdDSA', typ: 'tributary-user+jwt', kid, ...header })}.${encode({
    acc: app.account.id,
    env: 'live',
    iss: 'tributary',
    aud: 'tributary:user',
    sub: userId,
    iat: now,
    exp: now + 600,
    jti: randomUUID(),
    ...claims,
  })}`;
  return `${content}.${key ? sign(null, Buffer.from(content), key).toString('base64url') : ''}`;
}

const devicesOf = (id: string, key: string) => app.request('GET', `/v1/users/${id}/devices`, { key });
const endSession = (key: string) => app.request('DELETE', '/v1/sdk/sessions/current', { key });

beforeAll(async () => {
  app = await startTestApp();
  other = await app.createAccount();
  const create = (key: string) =>
    app.request('POST', '/v1/users', { key, body: { reference_id: randomUUID() } });
  userId = (await create(app.account.liveKey)).body.data.id;
  foreignUserId = (await create(other.liveKey)).body.data.id;
  userToken = (await app.request('POST', '/v1/auth/user-token', { body: { user_id: userId } })).body.token;
  mobileToken = (await app.request('POST', '/v1/auth/mobile-token', { body: { user_id: userId } })).body
    .token;
  const { bootstrap, credentials } = await sdkOf(app).signIn(userId);
  session = { ...bootstrap, ...credentials };
  // The attacker has even stolen the private key, so that each check is tested by itself.
  const [stolen] = await app.ctx.credentials.listSigningKeys();
  kid = stolen!.id;
  ownKey = createPrivateKey({
    key: app.ctx.keyring.decrypt(stolen!.privateKey, `signing_keys:${kid}`),
    format: 'der',
    type: 'pkcs8',
  });
});
afterAll(() => app[Symbol.asyncDispose]());

test('accepts the token that the attacks start from', async () => {
  expect((await devicesOf(userId, forge())).status).toBe(200);
  expect((await devicesOf(userId, userToken)).status).toBe(200);
  expect((await devicesOf(userId, app.account.liveKey)).status).toBe(200);
  const { access_token } = (await sdkOf(app).signIn(userId)).credentials;
  expect((await endSession(access_token)).status).toBe(204);
});

const attackerKey = generateKeyPairSync('ed25519').privateKey;
const past = () => Math.floor(app.ctx.clock.now() / 1000) - 5000;

/** Each returns a token that must not be accepted for reading the user's devices. */
const attacks: Record<string, () => string | Promise<string>> = {
  'alg none without a signature': () => forge({ header: { alg: 'none' }, key: null }),
  'alg None': () => forge({ header: { alg: 'None' }, key: null }),
  'alg NONE with our signature': () => forge({ header: { alg: 'NONE' } }),
  'alg absent': () => forge({ header: { alg: undefined } }),
  'alg empty': () => forge({ header: { alg: '' } }),
  'alg HS256, keyed with our public key as DER': async () =>
    hmacForgery('HS256', await publicKeyBytes('der')),
  'alg HS256, keyed with our public key as x': async () => hmacForgery('HS256', await publicKeyBytes('x')),
  'alg HS256, keyed with our public key as PEM': async () =>
    hmacForgery('HS256', await publicKeyBytes('pem')),
  'alg HS512, keyed with our public key': async () => hmacForgery('HS512', await publicKeyBytes('der')),
  'alg HS256, keyed with nothing': () => hmacForgery('HS256', Buffer.alloc(0)),
  'alg HS256, keyed with the kid': () => hmacForgery('HS256', Buffer.from(kid)),
  'alg RS256 over our signature': () => forge({ header: { alg: 'RS256' } }),
  'alg ES256 with the null signature': () =>
    `${forge({ header: { alg: 'ES256' }, key: null })}${Buffer.alloc(64).toString('base64url')}`,
  'the null signature': () => `${forge({ key: null })}${Buffer.alloc(64).toString('base64url')}`,
  'no signature': () => forge({ key: null }),
  'a signature by another key': () => forge({ key: attackerKey }),
  'another key, embedded as jwk': () => forge({ header: { jwk: attackerJwk() }, key: attackerKey }),
  'another key, embedded as jwk, without kid': () =>
    forge({ header: { jwk: attackerJwk(), kid: undefined }, key: attackerKey }),
  'another key at a jku': () => forge({ header: { jku: `${app.url}/evil.json` }, key: attackerKey }),
  'another key in an x5c': () => forge({ header: { x5c: ['MIIB'] }, key: attackerKey }),
  'another key at an x5u': () => forge({ header: { x5u: `${app.url}/evil.pem` }, key: attackerKey }),
  'a kid that does not exist': () => forge({ header: { kid: randomUUID() } }),
  'a kid that is no id': () => forge({ header: { kid: '../../etc/passwd' } }),
  'a kid with SQL in it': () => forge({ header: { kid: `' OR 1=1 --` } }),
  'a kid that is a list': () => forge({ header: { kid: [kid] } }),
  'a kid that is a number': () => forge({ header: { kid: 1 } }),
  'no kid': () => forge({ header: { kid: undefined } }),
  'a critical header that we do not know': () => forge({ header: { crit: ['x'], x: 1 } }),
  'an unencoded payload': () => forge({ header: { b64: false, crit: ['b64'] } }),
  'an SDK credential, by typ': () => forge({ header: { typ: 'tributary-sdk+jwt' } }),
  'an SDK credential, by aud': () => forge({ claims: { aud: 'tributary:sdk' } }),
  'typ JWT': () => forge({ header: { typ: 'JWT' } }),
  'no typ': () => forge({ header: { typ: undefined } }),
  'no aud': () => forge({ claims: { aud: undefined } }),
  'another iss': () => forge({ claims: { iss: 'https://evil.example' } }),
  'no iss': () => forge({ claims: { iss: undefined } }),
  expired: () => forge({ claims: { exp: past() } }),
  'expired a second ago': () => forge({ claims: { exp: Math.floor(app.ctx.clock.now() / 1000) - 1 } }),
  'no exp': () => forge({ claims: { exp: undefined } }),
  'exp as text': () => forge({ claims: { exp: '9999999999' } }),
  'not valid yet': () => forge({ claims: { nbf: past() + 10_000 } }),
  'no iat': () => forge({ claims: { iat: undefined } }),
  'no sub': () => forge({ claims: { sub: undefined } }),
  'a sub that is no id': () => forge({ claims: { sub: 'user_1' } }),
  'a sub that is a device': () => forge({ claims: { sub: userId.replace('user_', 'dev_') } }),
  'the sandbox environment': () => forge({ claims: { env: 'sandbox' } }),
  'an unknown environment': () => forge({ claims: { env: 'prod' } }),
  'no environment': () => forge({ claims: { env: undefined } }),
  'another account': () => forge({ claims: { acc: other.id } }),
  'an account that does not exist': () => forge({ claims: { acc: formatId('acc', randomUUID()) } }),
  'an account that is no id': () => forge({ claims: { acc: 'acc_1' } }),
  'a changed payload under our signature': () => swap(forge(), 1, forge({ claims: { sub: foreignUserId } })),
  'a changed header under our signature': () => swap(forge(), 0, forge({ header: { extra: 1 } })),
  'a truncated signature': () => forge().slice(0, -4),
  'a longer signature': () => `${forge()}AAAA`,
  'four parts': () => `${forge()}.x`,
  'two parts': () => forge().split('.').slice(0, 2).join('.'),
  'an empty payload': () => forge().replace(/\..*\./, '..'),
  'a payload that is no JSON': () => forge().replace(/\..*\./, '.bm8.'),
  'only dots': () => '..',
  'five parts, as if encrypted': () => 'a.b.c.d.e',
  'a mobile token': () => mobileToken,
  'a mobile token that was never issued': () => createSecretToken('mt_'),
  'an API key that was never issued': () => createSecretToken('sk_live_'),
  'an API key of the wrong environment': () => app.account.liveKey.replace('sk_live_', 'sk_sandbox_'),
  'an API key in lower case': () => app.account.liveKey.toLowerCase(),
  'an API key without its last character': () => app.account.liveKey.slice(0, -1),
  'an API key without its checksum': () => app.account.liveKey.slice(0, -6),
  'an API key with a character more': () => `${app.account.liveKey}0`,
  'an API key with a wrong checksum': () => `${app.account.liveKey.slice(0, -6)}000000`,
  'an API key with two characters swapped': () =>
    app.account.liveKey.replace(/(.)(.)(.{8})$/, (_, a: string, b: string, rest: string) =>
      a === b ? `${a}!${rest}` : b + a + rest,
    ),
  'an API key with a NUL inside': () => app.account.liveKey.replace(/.{3}$/, '%00'),
  'the prefix of an API key': () => 'sk_live_',
  'an API key that was revoked': revokedKey,
  'an API key that was replaced': replacedKey,
  'a hash of an API key': () => Buffer.from(app.account.liveKey).toString('base64'),
  'an SDK access token': () => session.access_token,
  'a refresh token': () => session.refresh_token,
  'a client token': () => session.client_token,
  'the id of a session': () => session.session_id,
  'a TypeID': () => userId,
  SQL: () => `'OR'1'='1`,
  'a very long token': () => 'a'.repeat(5000),
  'an API key of another account': () => other.liveKey,
  'the sandbox key of the same account': () => app.account.sandboxKey,
  'a user token for another user of another account': async () =>
    (
      await app.request('POST', '/v1/auth/user-token', {
        key: other.liveKey,
        body: { user_id: foreignUserId },
      })
    ).body.token,
};

describe(`${Object.keys(attacks).length} attacks`, () => {
  test('include at least 60', () => expect(Object.keys(attacks).length).toBeGreaterThanOrEqual(60));

  test.each(Object.entries(attacks))('rejects %s', async (_name, make) => {
    const response = await devicesOf(userId, await make());
    expect([401, 403, 404]).toContain(response.status);
    expect(response.body).not.toHaveProperty('data');
  });
});

/** Each returns a token with which no session may be ended. */
const sdkAttacks: Record<string, () => string | Promise<string>> = {
  'an API key': () => app.account.liveKey,
  'a sandbox key': () => app.account.sandboxKey,
  'a user token': () => userToken,
  'a mobile token': () => mobileToken,
  'a client token': () => session.client_token,
  'a refresh token': () => session.refresh_token,
  'the id of a session': () => session.session_id,
  'a token cut short': () => session.access_token.slice(0, -1),
  'a token cut to its content': () => session.access_token.slice(0, 4 + 72),
  'a token without a signature': () => editToken((bytes) => bytes.subarray(0, 54)),
  'a longer token': () => `${session.access_token}A`,
  'only the prefix': () => 'sdk_',
  'another prefix': () => session.access_token.replace('sdk_', 'sk_live_'),
  capitals: () => session.access_token.toUpperCase(),
  'another session': () => editToken((bytes) => flip(bytes, 0)),
  'another user': () => editToken((bytes) => flip(bytes, 20)),
  'another account': () => editToken((bytes) => flip(bytes, 40)),
  'the sandbox': () => editToken((bytes) => flip(bytes, 48)),
  'more scopes': () => editToken((bytes) => flip(bytes, 49)),
  'a later end': () => editToken((bytes) => flip(bytes, 51)),
  'the null signature': () => editToken((bytes) => bytes.fill(0, 54)),
  'a signature of ours for a cursor': () =>
    editToken((bytes) => {
      const content = bytes.subarray(0, 54);
      return Buffer.concat([content, app.ctx.keyring.sign(content, 'cursor')]);
    }),
  'a signature by another key': () =>
    sealSdkToken(createKeyring([{ version: 1, key: randomBytes(32) }]), identityOf(), inAnHour()),
  'a genuine token for a session that never was': () =>
    sealSdkToken(app.ctx.keyring, { ...identityOf(), sessionId: randomUUID() }, inAnHour()),
  "a genuine token for another user's session": () =>
    sealSdkToken(app.ctx.keyring, { ...identityOf(), userId: parseId('user', foreignUserId)! }, inAnHour()),
  'a genuine token for another tenant': () =>
    sealSdkToken(
      app.ctx.keyring,
      { ...identityOf(), tenant: { accountId: other.uuid, environment: 'live' } },
      inAnHour(),
    ),
  'a genuine token of a revoked session': async () => {
    const { access_token } = (await sdkOf(app).signIn(userId)).credentials;
    await endSession(access_token);
    return access_token;
  },
};

describe(`${Object.keys(sdkAttacks).length} attacks on the SDK's own routes`, () => {
  test.each(Object.entries(sdkAttacks))('rejects %s', async (_name, make) => {
    const response = await endSession(await make());
    expect({ status: response.status, error: response.body.error }).toEqual({
      status: 401,
      error: 'invalid_token',
    });
  });

  test('rejects an expired token', async () => {
    const response = await endSession(sealSdkToken(app.ctx.keyring, identityOf(), inAnHour() - 3_601));
    expect({ status: response.status, error: response.body.error }).toEqual({
      status: 401,
      error: 'token_expired',
    });
  });

  test('leaves the session unchanged', async () => {
    const { data } = (await app.request('GET', `/v1/users/${userId}/sdk-sessions`)).body;
    expect(data.map((listed: { session_id: string }) => listed.session_id)).toContain(session.session_id);
  });
});

test.each([
  ['GET', '/v1/users'],
  ['POST', '/v1/users'],
  ['GET', '/v1/users/:id'],
  ['PATCH', '/v1/users/:id'],
  ['DELETE', '/v1/users/:id'],
  ['GET', '/v1/users/:id/devices'],
  ['GET', '/v1/users/:id/sdk-sessions'],
  ['POST', '/v1/users/:id/sdk-sessions'],
  ['POST', '/v1/auth/user-token'],
  ['POST', '/v1/auth/mobile-token'],
])('an SDK access token may not %s %s, not even for its own user', async (method, path) => {
  const response = await app.request(method, path.replace(':id', userId), { key: session.access_token });
  expect({ status: response.status, error: response.body.error }).toEqual({
    status: 403,
    error: 'insufficient_scope',
  });
});

describe('forms of the Authorization header', () => {
  const withHeader = (authorization: string) =>
    app.request('GET', `/v1/users/${userId}/devices`, { key: '', headers: { authorization } });

  test.each([
    ['Basic', () => `Basic ${Buffer.from(`${app.account.liveKey}:`).toString('base64')}`],
    ['no scheme', () => app.account.liveKey],
    ['only Bearer', () => 'Bearer'],
    ['two tokens', () => `Bearer ${app.account.liveKey} ${app.account.liveKey}`],
    ['a comma', () => `Bearer ${app.account.liveKey},${app.account.liveKey}`],
    ['Token', () => `Token ${app.account.liveKey}`],
    ['quotes', () => `Bearer "${app.account.liveKey}"`],
  ])('rejects %s', async (_name, authorization) => {
    const response = await withHeader(authorization());
    expect(response.status).toBe(401);
    expect(response.body.error).toBe('invalid_token');
  });

  test('ignores a key in the query or in another header', async () => {
    const response = await app.request('GET', `/v1/users?access_token=${app.account.liveKey}`, {
      key: '',
      headers: { 'x-api-key': app.account.liveKey },
    });
    expect(response.body.error).toBe('missing_token');
  });

  test('reads the scheme case-insensitively', async () => {
    expect((await withHeader(`bearer ${app.account.liveKey}`)).status).toBe(200);
  });
});

describe('lifetimes', () => {
  // @contract all/credentials: A user token is valid for one hour, an API key for 90 days
  test('a user token expires after one hour and a key after 90 days', async () => {
    const account = await app.createAccount();
    const id = (await app.request('POST', '/v1/users', { key: account.liveKey, body: { reference_id: 'x' } }))
      .body.data.id;
    const issued = await app.request('POST', '/v1/auth/user-token', {
      key: account.liveKey,
      body: { user_id: id },
    });
    const lifeMs = Date.parse(issued.body.expires_at) - app.ctx.clock.now();
    expect(lifeMs).toBeGreaterThan(3_590_000);
    expect(lifeMs).toBeLessThanOrEqual(3_600_000);
    const hour = 3_600_000;
    await app.moveClock(hour - 5_000);
    expect((await devicesOf(id, issued.body.token)).status).toBe(200);
    await app.moveClock(hour + 5_000);
    expect((await devicesOf(id, issued.body.token)).body.error).toBe('token_expired');
    const renewed = await app.request('POST', '/v1/auth/user-token/refresh', {
      key: account.liveKey,
      body: { user_id: id },
    });
    expect(renewed.status).toBe(200);
    expect((await devicesOf(id, renewed.body.token)).status).toBe(200);
    await app.moveClock(90 * 24 * hour - 5_000);
    expect((await devicesOf(id, account.liveKey)).status).toBe(200);
    await app.moveClock(90 * 24 * hour + 5_000);
    expect((await devicesOf(id, account.liveKey)).body.error).toBe('token_expired');
    await app.moveClock(0);
  });

  test('rejects a revoked or expired key however often it is sent', async () => {
    const errorsOf = async (key: string) => {
      const responses: unknown[] = [];
      // Lookups are cached briefly, so the later requests of each attempt use the cache.
      for (let attempt = 0; attempt < 3; attempt += 1)
        for (let sent = 0; sent < 5; sent += 1) responses.push((await devicesOf(userId, key)).body.error);
      return [...new Set(responses)];
    };
    expect(await errorsOf(await revokedKey())).toEqual(['invalid_token']);
    const account = await app.createAccount();
    await app.admin.query("UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE account_id = $1", [
      account.uuid,
    ]);
    expect(await errorsOf(account.liveKey)).toEqual(['token_expired']);
  });

  test('a user token becomes invalid when its user is deleted', async () => {
    const id = (await app.request('POST', '/v1/users', { body: { reference_id: randomUUID() } })).body.data
      .id;
    const { token } = (await app.request('POST', '/v1/auth/user-token', { body: { user_id: id } })).body;
    expect((await devicesOf(id, token)).status).toBe(200);
    await app.request('DELETE', `/v1/users/${id}`);
    expect((await devicesOf(id, token)).status).toBe(404);
  });

  test('returns 402 for a user token of a suspended account', async () => {
    const account = await app.createAccount();
    const id = (await app.request('POST', '/v1/users', { key: account.liveKey, body: { reference_id: 'x' } }))
      .body.data.id;
    const { token } = (
      await app.request('POST', '/v1/auth/user-token', { key: account.liveKey, body: { user_id: id } })
    ).body;
    await updateAccount(app.ctx, testActor, account.uuid, { status: 'suspended' });
    app.ctx.credentials.clear();
    expect((await devicesOf(id, token)).body.error).toBe('payment_required');
  });

  test('verifies with both signing keys after a rotation, but not with a revoked one', async () => {
    const before = (await app.request('POST', '/v1/auth/user-token', { body: { user_id: userId } })).body
      .token;
    const fresh = await rotateSigningKey(app.ctx, testActor, { revokeOld: false });
    app.ctx.credentials.clear();
    const after = (await app.request('POST', '/v1/auth/user-token', { body: { user_id: userId } })).body
      .token;
    const jwks = (await app.request('GET', '/.well-known/jwks.json', { key: '' })).body.keys;
    expect(jwks.map((key: { kid: string }) => key.kid)).toEqual([fresh, kid]);
    expect(JSON.stringify(jwks)).not.toContain('"d"');
    expect((await devicesOf(userId, before)).status).toBe(200);
    expect((await devicesOf(userId, after)).status).toBe(200);
    await rotateSigningKey(app.ctx, testActor, { revokeOld: true });
    app.ctx.credentials.clear();
    expect((await devicesOf(userId, before)).body.error).toBe('invalid_token');
    expect((await devicesOf(userId, after)).body.error).toBe('invalid_token');
  });
});

// @contract all/credentials: Operations that no user token may call return `insufficient_scope` for every user; permitted operations on another user
// return `wrong_user`
test('returns wrong_user for another user of the same account, and insufficient_scope first for operations no user token may call', async () => {
  const id = (await app.request('POST', '/v1/users', { body: { reference_id: randomUUID() } })).body.data.id;
  const { token } = (await app.request('POST', '/v1/auth/user-token', { body: { user_id: id } })).body;
  for (const path of [userId, foreignUserId, 'user_1', 'x'])
    expect((await devicesOf(path, token)).body.error).toBe('wrong_user');
  expect((await app.request('GET', `/v1/users/${userId}`, { key: token })).body.error).toBe(
    'insufficient_scope',
  );
});

test('stores secrets only hashed or encrypted', async () => {
  const tables = ['api_keys', 'mobile_tokens', 'signing_keys', 'sdk_sessions', 'sdk_session_requests'];
  const { access_token, refresh_token, client_token } = session;
  const secrets = [app.account.liveKey, app.account.sandboxKey, mobileToken, userToken];
  secrets.push(access_token, refresh_token, client_token);
  for (const table of tables) {
    const { rows } = await app.admin.query(`SELECT row_to_json(t)::text AS row FROM ${table} t`);
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) for (const secret of secrets) expect(row).not.toContain(secret);
  }
});

test('a full copy of the database contains no working credential: private keys cannot be decrypted without the configured key', async () => {
  const { rows } = await app.admin.query('SELECT private_key FROM signing_keys');
  for (const { private_key } of rows) {
    expect(() => createPrivateKey({ key: private_key, format: 'der', type: 'pkcs8' })).toThrow();
  }
});

function hmacForgery(alg: string, secret: Buffer): string {
  const [header, payload] = forge({ header: { alg }, key: null }).split('.') as [string, string];
  const hash = alg === 'HS512' ? 'sha512' : 'sha256';
  return `${header}.${payload}.${createHmac(hash, secret).update(`${header}.${payload}`).digest('base64url')}`;
}

async function publicKeyBytes(form: 'der' | 'pem' | 'x'): Promise<Buffer> {
  const key = (await app.ctx.credentials.findPublicKey(kid))!;
  if (form === 'x') return Buffer.from(String(key.export({ format: 'jwk' })['x']), 'base64url');
  return form === 'der'
    ? key.export({ type: 'spki', format: 'der' })
    : Buffer.from(key.export({ type: 'spki', format: 'pem' }));
}

function attackerJwk(): object {
  const { d: _secret, ...jwk } = attackerKey.export({ format: 'jwk' });
  return { ...jwk, kid };
}

function identityOf(): SdkIdentity {
  return openSdkToken(app.ctx.keyring, app.ctx.clock, session.access_token);
}

const inAnHour = () => Math.floor(app.ctx.clock.now() / 1000) + 3_600;

/** The real access token with modified bytes. */
function editToken(edit: (bytes: Buffer) => Buffer): string {
  return `sdk_${edit(Buffer.from(session.access_token.slice(4), 'base64url')).toString('base64url')}`;
}

function flip(bytes: Buffer, at: number): Buffer {
  bytes[at]! ^= 1;
  return bytes;
}

function swap(token: string, part: number, from: string): string {
  const parts = token.split('.');
  parts[part] = from.split('.')[part]!;
  return parts.join('.');
}

async function revokedKey(): Promise<string> {
  const account = await app.createAccount();
  const { rows } = await app.admin.query(
    `SELECT id FROM api_keys WHERE account_id = $1 AND environment = 'live'`,
    [account.uuid],
  );
  expect((await app.request('GET', '/v1/users', { key: account.liveKey })).status).toBe(200);
  await revokeApiKey(app.ctx, testActor, rows[0].id);
  app.ctx.credentials.clear();
  return account.liveKey;
}

async function replacedKey(): Promise<string> {
  const account = await app.createAccount();
  const created = await createApiKey(app.ctx, testActor, { accountId: account.uuid, environment: 'live' });
  app.ctx.credentials.clear();
  expect((await app.request('GET', '/v1/users', { key: created.secret })).status).toBe(200);
  expect(parseId('user', userId)).not.toBeNull();
  return account.liveKey;
}
