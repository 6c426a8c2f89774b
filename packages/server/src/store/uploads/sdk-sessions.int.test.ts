import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashSecret } from '../../credentials/secret-token.ts';
import { parseId } from '../../ids.ts';
import { asService } from '../../test/apps/as-service.ts';
import { sdkOf } from '../../test/data/sdk.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';

let app: TestApp;
const userIds: string[] = [];
const clientTokens: string[] = [];

beforeAll(async () => {
  app = await startTestApp();
  const sdk = sdkOf(app);
  const stranger = await app.createAccount();
  for (const key of [app.account.liveKey, app.account.sandboxKey, stranger.liveKey]) {
    const id = await sdk.newUser(key);
    userIds.push(parseId('user', id)!);
    clientTokens.push((await sdk.start(id, {}, { key })).body.client_token);
  }
});
afterAll(() => app[Symbol.asyncDispose]());

const usersSeen = async (settings: Record<string, string>) =>
  (await asService(app, settings, 'SELECT user_id FROM sdk_sessions ORDER BY id')).rows.map(
    (row) => row.user_id,
  );

test('shows no session without a tenant setting', async () => {
  expect(await usersSeen({})).toEqual([]);
  expect(await usersSeen({ user_ids: '' })).toEqual([]);
  expect(await usersSeen({ user_ids: '{}' })).toEqual([]);
});

test('shows the sessions of several users at once, for reading only', async () => {
  expect(await usersSeen({ user_ids: `{${userIds[0]}}` })).toEqual([userIds[0]]);
  const user_ids = `{${userIds[0]},${userIds[2]}}`;
  expect(await usersSeen({ user_ids })).toEqual([userIds[0], userIds[2]]);
  const changed = await asService(app, { user_ids }, `UPDATE sdk_sessions SET platform = 'web'`);
  expect(changed.rowCount).toBe(0);
  const requests = await asService(app, { user_ids }, 'SELECT FROM sdk_session_requests');
  expect(requests.rowCount).toBe(0);
});

test('lets the bearer of a token see and lock its session, but change it only as its tenant', async () => {
  const credential = hashSecret(clientTokens[2]!).toString('hex');
  expect(await usersSeen({ credential })).toEqual([userIds[2]]);
  const locked = await asService(app, { credential }, 'SELECT FROM sdk_sessions FOR UPDATE');
  expect(locked.rowCount).toBe(1);
  const change = `UPDATE sdk_sessions SET platform = 'web'`;
  await expect(asService(app, { credential }, change)).rejects.toThrow(/row-level security/);
  const { rows } = await app.admin.query('SELECT account_id FROM users WHERE id = $1', [userIds[2]]);
  const tenant = { account: rows[0].account_id, environment: 'live' };
  expect((await asService(app, { credential, ...tenant }, change)).rowCount).toBe(1);
  const stolen = `UPDATE sdk_sessions SET account_id = $1`;
  await expect(asService(app, { credential, ...tenant }, stolen, [app.account.uuid])).rejects.toThrow(
    /row-level security/,
  );
});

test('lets the bearer of a mobile token see that one, but create none', async () => {
  const sdk = sdkOf(app);
  const tokens = [await sdk.mobileToken(await sdk.newUser()), await sdk.mobileToken(await sdk.newUser())];
  const credential = hashSecret(tokens[0]!).toString('hex');
  const seen = await asService(app, { credential }, 'SELECT hash FROM mobile_tokens');
  expect(seen.rows).toEqual([{ hash: hashSecret(tokens[0]!) }]);
  expect((await asService(app, { credential }, 'DELETE FROM mobile_tokens')).rowCount).toBe(1);
  const forged = `INSERT INTO mobile_tokens (hash, account_id, environment, user_id, scopes, expires_at)
                  VALUES ($1, $2, 'live', $3, '{sleep}', now())`;
  const own = hashSecret('forged');
  await expect(
    asService(app, { credential: own.toString('hex') }, forged, [own, app.account.uuid, userIds[0]]),
  ).rejects.toThrow(/row-level security/);
});
