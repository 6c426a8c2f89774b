import { createPublicKey, verify } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startLab } from '../../lab.ts';
import type { Lab } from '../../lab-type.ts';
import { connect, type Json } from '../../test/connect-person.ts';
import { receivePushes, type Receiver } from '../../test/receive-pushes.ts';
import { googleHealth } from './index.ts';
import { scopeOf } from './policy.ts';
import { connectAll, endpoints, pointsPath, projectToken, readAll, sendJson } from './test-client.ts';

const secret = 'Bearer of-the-test';
const startAt = Date.parse('2026-04-20T12:00:00Z');
let lab: Lab;
let receiver: Receiver;

beforeEach(async () => {
  lab = await startLab({ providers: [googleHealth], startAt });
  receiver = await receivePushes();
  receiver.respond = respondToVerification;
});
afterEach(async () => {
  await lab[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const respondToVerification: Receiver['respond'] = ({ headers, body }) => ({
  status: headers.authorization !== secret ? 401 : body.includes('verification') ? 201 : 204,
});
const pushed = () => receiver.received.filter(({ body }) => !body.includes('verification'));
const events = (): Json[] =>
  pushed().flatMap(({ body }) => [JSON.parse(body)].flat().map(({ data }) => data));
const wanted = (dataTypes: string[], subscriptionCreatePolicy = 'AUTOMATIC') => ({
  endpointUri: receiver.url,
  subscriberConfigs: [{ dataTypes, subscriptionCreatePolicy }],
  endpointAuthorization: { secret },
});
async function call(method: string, path: string, body?: Json, project = '123456'): Promise<Json> {
  const { access_token: token } = (await projectToken(lab)).body;
  const url = `${lab.url}/google_health/health/v4/projects/${project}/subscribers${path}`;
  return sendJson(method, url, token, body);
}

test('creates a subscriber after two verification requests, then reads, updates and deletes it', async () => {
  const response = await call('POST', '?subscriberId=ours', wanted(['steps', 'sleep']));
  const subscriber = {
    name: 'projects/123456/subscribers/ours',
    endpointUri: receiver.url,
    subscriberConfigs: [{ dataTypes: ['steps', 'sleep'], subscriptionCreatePolicy: 'AUTOMATIC' }],
    state: 'ACTIVE',
  };
  expect(response).toEqual({
    status: 200,
    body: { name: expect.any(String), done: true, response: subscriber },
  });
  expect(receiver.received.map(({ headers, body }) => [headers.authorization, body])).toEqual([
    [secret, '{"type":"verification"}'],
    [undefined, '{"type":"verification"}'],
  ]);
  expect((await call('GET', '')).body).toEqual({ subscribers: [subscriber] });
  expect((await call('POST', '?subscriberId=ours', wanted(['steps']))).status).toBe(409);
  const changed = await call('PATCH', '/ours', { subscriberConfigs: wanted(['weight']).subscriberConfigs });
  expect(changed.body.response.subscriberConfigs[0].dataTypes).toEqual(['weight']);
  expect(receiver.received).toHaveLength(6);
  expect((await call('DELETE', '/ours')).status).toBe(200);
  expect((await call('DELETE', '/ours')).status).toBe(404);
});

test('rejects invalid requests', async () => {
  const make = async (body: Json, project?: string): Promise<number> =>
    (await call('POST', '?subscriberId=x', body, project)).status;
  expect(await make(wanted(['steps']), 'my-project')).toBe(400);
  for (const type of ['oxygen-saturation', 'active-minutes', 'active-energy-burned', 'vo2-max', 'stress'])
    expect(await make(wanted([type]))).toBe(400);
  expect(await make({ ...wanted(['steps']), endpointUri: 'ftp://example' })).toBe(400);
  expect(await make({ ...wanted(['steps']), endpointAuthorization: {} })).toBe(400);
  receiver.respond = () => ({ status: 201 });
  expect(await make(wanted(['steps']))).toBe(400);
  receiver.respond = () => ({ status: 401 });
  expect(await make(wanted(['steps']))).toBe(400);
  expect((await projectToken(lab, { client_secret: 'wrong' })).status).toBe(401);
  expect((await projectToken(lab, { scope: 'openid' })).status).toBe(400);
  const ada = await connectAll(lab, 'ada');
  const url = `${lab.url}/google_health/health/v4/projects/1/subscribers`;
  expect((await sendJson('GET', url, ada.accessToken)).status).toBe(401);
});

test('sends pushes with the secret and a Tink signature, and intervals that contain the new data', async () => {
  await call(
    'POST',
    '?subscriberId=ours',
    wanted(['steps', 'heart-rate', 'sleep', 'daily-resting-heart-rate']),
  );
  await connectAll(lab, 'ada');
  await connect(lab, endpoints, 'ben', [scopeOf('profile')]);
  await lab.clock.advance(86_400_000);
  const ada = await connectAll(lab, 'ada');
  const { body: keyset } = await ada.get(
    '/google_health/www/googlehealthapi/webhooks/webhooks_public_keyset.json',
  );
  for (const { headers, body } of pushed()) {
    expect(headers.authorization).toBe(secret);
    const blob = Buffer.from(String(headers['google-health-api-signature']), 'base64');
    expect(blob[0]).toBe(1);
    const { keyData } = keyset.key.find(({ keyId }: Json) => keyId === blob.readUInt32BE(1));
    const message = Buffer.from(keyData.value, 'base64');
    // Three parameters, then each coordinate after its tag and length.
    expect([message[8], message[9], message[42], message[43]]).toEqual([0x1a, 32, 0x22, 32]);
    const [x, y] = [10, 44].map((at) => message.subarray(at, at + 32).toString('base64url'));
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' });
    expect(verify('sha256', Buffer.from(body), key, blob.subarray(5))).toBe(true);
  }
  // Notifications of one upload are sent as an array, a single one as an object.
  expect(new Set(pushed().map(({ body }) => Array.isArray(JSON.parse(body))))).toEqual(
    new Set([true, false]),
  );
  const types = new Set(events().map(({ dataType }) => dataType));
  expect(types).toEqual(new Set(['steps', 'heart-rate', 'sleep', 'daily-resting-heart-rate']));
  const userId = lab.grants('google_health').find(({ personId }) => personId === 'ada')!.userId;
  for (const { healthUserId, operation, version } of events())
    expect([healthUserId, operation, version]).toEqual([userId, 'UPSERT', '1']);
  const night = events().find(({ dataType }) => dataType === 'sleep');
  const sleeps = ['2026-04-20', '2026-04-21'].flatMap((date) => lab.truth('ada', date).sleeps);
  const truth = sleeps.find(({ end }) => end > startAt)!;
  const stamp = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
  const [{ physicalTimeInterval: interval, civilIso8601TimeInterval: civil }] = night.intervals;
  expect(interval).toEqual({ startTime: stamp(truth.start), endTime: stamp(truth.end) });
  expect(Date.parse(`${civil.endTime}+02:00`)).toBe(truth.end);
  const { status, body } = await ada.get(pointsPath('sleep', {}, `/${night.recordId}`));
  expect([status, body.sleep.interval.endTime]).toEqual([200, stamp(truth.end)]);
  const { physicalTimeInterval: hour } = events().find(({ dataType }) => dataType === 'steps').intervals[0];
  const member = 'steps.interval.start_time';
  const filter = `${member} >= "${hour.startTime}" AND ${member} < "${hour.endTime}"`;
  expect((await readAll(ada, 'steps', { filter }, ':reconcile')).points).toHaveLength(1);
});

test('notifies only for subscribed users under a manual policy', async () => {
  await call('POST', '?subscriberId=ours', wanted(['daily-resting-heart-rate'], 'MANUAL'));
  await connectAll(lab, 'ada');
  await connectAll(lab, 'ben');
  await lab.clock.advance(86_400_000);
  expect(events()).toEqual([]);
  const { userId } = lab.grants('google_health').find(({ personId }) => personId === 'ben')!;
  const subscription = { user: `users/${userId}`, dataTypes: ['daily-resting-heart-rate'] };
  const { body } = await call('POST', '/ours/subscriptions', subscription);
  expect((await call('POST', '/ours/subscriptions', subscription)).status).toBe(409);
  await lab.clock.advance(86_400_000);
  expect(events()).toMatchObject([{ healthUserId: userId, clientProvidedSubscriptionName: body.name }]);
  expect((await call('GET', '/ours/subscriptions')).body.subscriptions).toEqual([body]);
  const id = body.name.split('/').at(-1);
  expect((await call('DELETE', `/ours/subscriptions/${id}`)).status).toBe(200);
  await lab.clock.advance(86_400_000);
  expect(events()).toHaveLength(1);
});

test('notifies again of a revision, and of a deleted nap as a deletion', async () => {
  lab.faults.on({ kind: 'revised', rate: 1 });
  const ada = await connectAll(lab, 'ada');
  await call('POST', '?subscriberId=ours', wanted(['sleep', 'heart-rate-variability']));
  await lab.clock.advance(100 * 86_400_000);
  const all = events();
  expect(all.filter(({ dataType, operation }) => dataType !== 'sleep' && operation === 'DELETE')).toEqual([]);
  const sleepEvents = all.filter(({ dataType }) => dataType === 'sleep');
  const deleted = sleepEvents.filter(({ operation }) => operation === 'DELETE');
  expect(deleted.length).toBeGreaterThan(0);
  const { access_token: token } = (await sendRefresh(ada.refreshToken!)).body;
  const read = (id: string) => sendJson('GET', `${lab.url}${pointsPath('sleep', {}, `/${id}`)}`, token);
  expect((await read(deleted[0].recordId)).status).toBe(404);
  const { startTime, endTime } = deleted[0].intervals[0].physicalTimeInterval;
  const member = 'heart_rate_variability.sample_time.physical_time';
  const filter = `${member} >= "${startTime}" AND ${member} < "${endTime}"`;
  const path = pointsPath('heart-rate-variability', { filter });
  expect((await sendJson('GET', `${lab.url}${path}`, token)).body.dataPoints.length).toBeGreaterThan(0);
  const night = sleepEvents.find(({ recordId }) => !deleted.some((one) => one.recordId === recordId));
  const again = sleepEvents.filter(({ recordId }) => recordId === night.recordId);
  expect(again.length).toBeGreaterThan(1);
  expect(
    again[1].intervals[0].physicalTimeInterval.startTime > night.intervals[0].physicalTimeInterval.startTime,
  ).toBe(true);
  expect((await read(night.recordId)).body.sleep.metadata.manuallyEdited).toBe(true);
}, 20_000);

function sendRefresh(refreshToken: string): Promise<Json> {
  const { clientId, clientSecret } = lab.apps[0]!;
  const fields = { client_id: clientId, client_secret: clientSecret, grant_type: 'refresh_token' };
  return fetch(`${lab.url}${endpoints.token}`, {
    method: 'POST',
    body: new URLSearchParams({ ...fields, refresh_token: refreshToken }),
  }).then(async (response) => ({ body: await response.json() }));
}

test('retries a failed push four times, then deactivates the subscriber until it is verified again', async () => {
  await call('POST', '?subscriberId=ours', wanted(['daily-resting-heart-rate']));
  await connectAll(lab, 'ada');
  receiver.respond = () => ({ status: 500 });
  await lab.clock.advance(86_400_000);
  expect(pushed()).toHaveLength(5);
  expect((await call('GET', '')).body.subscribers[0].state).toBe('INACTIVE');
  await lab.clock.advance(86_400_000);
  expect(pushed()).toHaveLength(5);
  receiver.respond = respondToVerification;
  expect((await call('PATCH', '/ours', {})).body.response.state).toBe('ACTIVE');
  await lab.clock.advance(86_400_000);
  expect(pushed()).toHaveLength(6);
});

test('rotates keys about every month', async () => {
  const keys = async (): Promise<number> => {
    const path = '/google_health/www/googlehealthapi/webhooks/webhooks_public_keyset.json';
    return ((await (await fetch(`${lab.url}${path}`)).json()) as Json).primaryKeyId;
  };
  const before = await keys();
  expect(await keys()).toBe(before);
  await lab.clock.advance(31 * 86_400_000);
  expect(await keys()).not.toBe(before);
});
