import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sdkOf } from '../../test/data/sdk.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { sweepCredentials } from './sweep-credentials.ts';

let app: TestApp;
let sdk: ReturnType<typeof sdkOf>;
let userId: string;
const hour = 3_600_000;
const day = 24 * hour;

// One service per test, because a sweep after 90 days also revokes the keys of its account.
beforeEach(async () => {
  app = await startTestApp();
  sdk = sdkOf(app);
  userId = await sdk.newUser();
});
afterEach(() => app[Symbol.asyncDispose]());

const statuses = async () =>
  Object.fromEntries(
    (await app.admin.query('SELECT id, status FROM sdk_sessions')).rows.map(({ id, status }) => [id, status]),
  );

test('revokes a session that never started a day after its token expired, and removes it 90 days later', async () => {
  const { session_id } = (await sdk.start(userId)).body;
  await app.moveClock(day);
  expect((await sweepCredentials(app.ctx)).endedSessions).toBe(0);
  await app.moveClock(day + hour);
  expect((await sweepCredentials(app.ctx)).endedSessions).toBe(1);
  expect(await statuses()).toEqual({ [session_id]: 'revoked' });
  await app.moveClock(90 * day);
  expect((await sweepCredentials(app.ctx)).removedSessions).toBe(0);
  await app.moveClock(92 * day);
  expect((await sweepCredentials(app.ctx)).removedSessions).toBe(1);
  expect(await statuses()).toEqual({});
});

test('revokes an active session that was not refreshed for 90 days, unless it was just recovered', async () => {
  const [lost, recovered, renewed] = await Promise.all(
    ['lost', 'recovered', 'renewed'].map((name) => sdk.signIn(userId, { installation_id: name })),
  );
  await app.moveClock(60 * day);
  await sdk.refresh(renewed!.credentials.refresh_token);
  await app.moveClock(90 * day - hour);
  const again = await sdk.start(userId, { installation_id: 'recovered' });
  expect(again.status).toBe(200);
  expect((await sweepCredentials(app.ctx)).endedSessions).toBe(0);
  await app.moveClock(90 * day + hour);
  expect((await sweepCredentials(app.ctx)).endedSessions).toBe(1);
  expect(await statuses()).toEqual({
    [lost!.bootstrap.session_id]: 'revoked',
    [recovered!.bootstrap.session_id]: 'active',
    [renewed!.bootstrap.session_id]: 'active',
  });
});

test('removes stored responses to idempotency keys after a day', async () => {
  const idempotencyKey = randomUUID();
  await sdk.start(userId, {}, { idempotencyKey });
  await app.moveClock(day - hour);
  expect((await sweepCredentials(app.ctx)).sessionRequests).toBe(0);
  expect((await sdk.start(userId, {}, { idempotencyKey })).status).toBe(200);
  await app.moveClock(day + hour);
  expect((await sweepCredentials(app.ctx)).sessionRequests).toBe(1);
});
