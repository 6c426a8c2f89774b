import { generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import { ProviderFailure } from '../failure.ts';
import type { AppApi, Call, Provider } from '../provider.ts';
import { requestProjectToken } from './project-token.ts';
import { push } from './push.ts';
import { pushSecretOf } from './subscriber.ts';

/** An app whose calls are handled here. Each app has its own hosts, because keys are cached by URL. */
let apps = 0;
function openApi(respond: (call: Call) => unknown, settings: Record<string, string> = {}) {
  apps += 1;
  const hosts = { www: `https://www-${apps}.test`, oauth2: 'https://oauth2.test' };
  const calls: Call[] = [];
  const clock = { ms: Date.parse('2026-11-15T12:00:00Z') };
  const api: AppApi = {
    app: { clientId: 'app', clientSecret: 'secret', hosts, settings },
    now: () => clock.ms,
    send: async (call) => {
      calls.push(call);
      return { status: 200, headers: {}, body: JSON.stringify(respond(call)) };
    },
  };
  return { api, calls, clock };
}

const field = (tag: number, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([tag, bytes.length]), bytes]);

/** A key as in a keyset. Tink prefixes a zero to a coordinate whose first bit is set. */
function entryOf(keyId: number, key: KeyObject, { status = 'ENABLED', params = [3, 2, 2] } = {}) {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const [hash, curve, encoding] = params as [number, number, number];
  const message = Buffer.concat([
    Buffer.from([0x08, 0]),
    field(0x12, Buffer.from([0x08, hash, 0x10, curve, 0x18, encoding])),
    field(0x1a, Buffer.concat([Buffer.alloc(1), Buffer.from(x, 'base64url')])),
    field(0x22, Buffer.concat([Buffer.alloc(1), Buffer.from(y, 'base64url')])),
  ]);
  const typeUrl = 'type.googleapis.com/google.crypto.tink.EcdsaPublicKey';
  return { keyId, status, outputPrefixType: 'TINK', keyData: { typeUrl, value: message.toString('base64') } };
}

function signatureOf(keyId: number, key: KeyObject, body: string, first = 1): string {
  const head = Buffer.alloc(5);
  head.writeUInt8(first, 0);
  head.writeUInt32BE(keyId, 1);
  return Buffer.concat([head, sign('sha256', Buffer.from(body), key)]).toString('base64');
}

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const largeId = 4_000_000_001;
const body = '{"data":{"healthUserId":"7"}}';

test('accepts only pushes signed by Google, under both header names', async () => {
  const keyset = {
    primaryKeyId: largeId,
    key: [
      entryOf(largeId, pair.publicKey),
      entryOf(2, pair.publicKey, { status: 'DISABLED' }),
      entryOf(3, pair.publicKey, { params: [3, 2, 1] }),
      { keyId: 5, status: 'ENABLED', keyData: { typeUrl: 'another', value: '' } },
    ],
  };
  const { api } = openApi(() => keyset);
  const authorization = pushSecretOf(api.app);
  const good = signatureOf(largeId, pair.privateKey, body);
  const send = async (headers: Record<string, string>, sent = body, method = 'POST') => {
    const request = { method, query: new URLSearchParams(), headers, body: Buffer.from(sent) };
    const { status, keep } = await push.respond(request, { api, state: {} });
    expect(keep).toBe(status === 204);
    return status;
  };
  expect(await send({ authorization, 'google-health-api-signature': good })).toBe(204);
  expect(await send({ authorization, 'x-healthapi-signature': good })).toBe(204);

  expect(await send({ 'google-health-api-signature': good })).toBe(401);
  expect(await send({ authorization: `${authorization}x`, 'google-health-api-signature': good })).toBe(401);
  expect(await send({ authorization, 'google-health-api-signature': good }, `${body} `)).toBe(401);
  expect(await send({ authorization, 'google-health-api-signature': good }, body, 'GET')).toBe(401);
  for (const signature of [
    '',
    'x',
    '%%%',
    signatureOf(largeId, other.privateKey, body),
    signatureOf(largeId, pair.privateKey, body, 0),
    signatureOf(2, pair.privateKey, body),
    signatureOf(3, pair.privateKey, body),
    signatureOf(5, pair.privateKey, body),
    signatureOf(9, pair.privateKey, body),
    Buffer.concat([Buffer.from(good, 'base64').subarray(0, 5), Buffer.from('no signature')]).toString(
      'base64',
    ),
  ])
    expect(await send({ authorization, 'google-health-api-signature': signature })).toBe(401);
  expect(await send({ authorization })).toBe(401);

  expect(await send({ authorization }, '{"type":"verification"}')).toBe(201);
  expect(await send({}, '{"type":"verification"}')).toBe(401);
});

test('fetches keys at most once a minute, even if that fails', async () => {
  let isDown = true;
  const keys = [entryOf(1, pair.publicKey)];
  const { api, calls, clock } = openApi(() => {
    if (isDown) throw new ProviderFailure('unavailable', 'no response');
    return { key: keys };
  });
  const send = async (keyId: number, key: KeyObject): Promise<number> => {
    const headers = {
      authorization: pushSecretOf(api.app),
      'google-health-api-signature': signatureOf(keyId, key, body),
    };
    const request = { method: 'POST', query: new URLSearchParams(), headers, body: Buffer.from(body) };
    return (await push.respond(request, { api, state: {} })).status;
  };
  expect(await send(1, pair.privateKey)).toBe(503);
  isDown = false;
  expect(await send(1, pair.privateKey)).toBe(503);
  expect(calls).toHaveLength(1);
  clock.ms += 60_000;
  const together = Array.from({ length: 5 }, () => send(1, pair.privateKey));
  expect(await Promise.all(together)).toEqual([204, 204, 204, 204, 204]);
  expect(calls).toHaveLength(2);

  keys.push(entryOf(2, other.publicKey));
  expect(await send(2, other.privateKey)).toBe(401);
  expect(calls).toHaveLength(2);
  clock.ms += 60_000;
  expect(await send(1, pair.privateKey)).toBe(204);
  expect(calls).toHaveLength(2);
  expect(await send(2, other.privateKey)).toBe(204);
  expect(calls).toHaveLength(3);

  // A withdrawn key is trusted for one day at most.
  keys.shift();
  clock.ms += 86_400_000;
  expect(await send(1, pair.privateKey)).toBe(401);
  expect(calls).toHaveLength(4);
});

test('returns what to read again as notices', () => {
  const physicalTimeInterval = { startTime: '2026-11-14T05:00:00Z', endTime: '2026-11-14T06:00:00Z' };
  const data = {
    version: '1',
    healthUserId: '77',
    operation: 'UPSERT',
    intervals: [{ physicalTimeInterval }],
  };
  const [fromMs, toMs] = [Date.parse('2026-11-14T05:00:00Z'), Date.parse('2026-11-14T06:00:01Z')];
  const notifications = [
    { data: { ...data, dataType: 'steps' } },
    { data: { ...data, dataType: 'weight', operation: 'DELETE' } },
    { data: { ...data, dataType: 'sleep', recordId: '5' } },
    { data: { ...data, dataType: 'exercise', recordId: 6, operation: 'DELETE' } },
    { data: { ...data, dataType: 'sleep' } },
    { data: { ...data, dataType: 'hydration-log' } },
    { data: { ...data, dataType: 'steps', healthUserId: null } },
    {
      data: {
        ...data,
        dataType: 'daily-vo2-max',
        intervals: [
          { civilIso8601TimeInterval: { startTime: '2026-11-14T00:00:00', endTime: '2026-11-15T00:00:00' } },
          { physicalTimeInterval: { startTime: 'soon', endTime: null } },
          { physicalTimeInterval: { startTime: toIso(toMs), endTime: toIso(fromMs) } },
        ],
      },
    },
    null,
    { data: 5 },
  ];
  const wide = 14 * 3_600_000;
  expect(push.notices(JSON.stringify(notifications), {})).toEqual([
    { userId: '77', kind: 'span', stream: 'steps', fromMs, toMs },
    { userId: '77', kind: 'span', stream: 'weight', fromMs, toMs },
    { userId: '77', kind: 'document', stream: 'sleep', id: '5' },
    { userId: '77', kind: 'deleted', stream: 'exercise', id: '6' },
    { userId: '77', kind: 'span', stream: 'sleep', fromMs, toMs },
    {
      userId: '77',
      kind: 'span',
      stream: 'daily-vo2-max',
      fromMs: Date.parse('2026-11-14T00:00:00Z') - wide,
      toMs: Date.parse('2026-11-15T00:00:00Z') + wide,
    },
  ]);
  expect(push.notices(JSON.stringify(notifications[0]), {})).toHaveLength(1);
  expect(push.notices('not JSON', {})).toEqual([]);
});

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}

test('authenticates a service account with a signature', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const file = {
    type: 'service_account',
    client_email: 'pusher@project.iam.gserviceaccount.com',
    private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    token_uri: 'https://elsewhere.test/token',
  };
  const { api, calls } = openApi(() => ({ access_token: 'of-the-project' }), {
    service_account: JSON.stringify(file),
  });
  expect(await requestProjectToken(api)).toBe('of-the-project');
  const { url, form, bare } = calls[0]!;
  expect([url, bare, form!['grant_type']]).toEqual([
    'https://oauth2.test/token',
    true,
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
  ]);
  const [head = '', claims = '', signature = ''] = String(form!['assertion']).split('.');
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  expect(read(head)).toEqual({ alg: 'RS256', typ: 'JWT' });
  expect(read(claims)).toEqual({
    iss: file.client_email,
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    aud: 'https://oauth2.test/token',
    iat: api.now() / 1000,
    exp: api.now() / 1000 + 3600,
  });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  );
  expect(isSigned).toBe(true);
});

test('rejects invalid settings without revealing their contents', async () => {
  for (const setting of ['{', '{"client_email":"x"}', '{"client_email":"x","private_key":"hush"}']) {
    const { api, calls } = openApi(() => ({}), { service_account: setting });
    const failure = await requestProjectToken(api).catch((error: unknown) => error as ProviderFailure);
    expect(failure).toMatchObject({ kind: 'refused' });
    expect(String(failure)).not.toContain('hush');
    expect(calls).toEqual([]);
  }
  const setUp: NonNullable<NonNullable<Provider['push']>['setUp']> = push.setUp!;
  for (const number of ['', 'my-project'])
    await expect(
      setUp(openApi(() => ({}), { project_number: number }).api, { url: 'https://x.test', state: {} }),
    ).rejects.toMatchObject({ kind: 'refused' });
  const refusing = openApi(() => {
    throw new ProviderFailure('consent_ended', 'the grant is no longer valid');
  });
  await expect(requestProjectToken(refusing.api)).rejects.toMatchObject({ kind: 'refused' });
});
