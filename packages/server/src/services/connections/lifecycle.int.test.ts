import { findProvider } from '@tributary/providers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseId } from '../../ids.ts';
import { inTransaction } from '../../store/database/database.ts';
import { listDueConnections } from '../../store/connections/due.ts';
import { erasedTables } from '../../store/users/erasure-list.ts';
import { findConsentOfRemoved } from '../../store/connections/connections.ts';
import { touchUser } from '../../store/users/read.ts';
import { startConnectApp, type ConnectApp } from '../../test/apps/connect-app.ts';
import { syncConnection } from '../sync/sync-connection.ts';
import { endConsent } from './end-consent.ts';
import { sealTokens, unsealTokens } from './seal-tokens.ts';

let app: ConnectApp;
beforeAll(async () => {
  app = await startConnectApp();
});
afterAll(() => app[Symbol.asyncDispose]());

let people = 0;
const newPerson = () => `person-${(people += 1)}`;

interface Connected {
  userId: string;
  userUuid: string;
  id: string;
  deviceId: string;
  person: string;
}

async function connected(provider = 'oura', person = newPerson(), userId?: string): Promise<Connected> {
  const user = userId ?? (await app.createUser());
  const { id, auth_url: url } = (await app.connect(user, provider)).body.data;
  expect((await app.authorize(url, person)).status).toBe(200);
  return { userId: user, userUuid: parseId('user', user)!, id, deviceId: parseId('dev', id)!, person };
}

const deviceOf = async ({ userId, id }: Connected) =>
  (await app.request('GET', `/v1/users/${userId}/devices`)).body.data.find(
    (device: { id: string }) => device.id === id,
  );

async function eventsOf({ userUuid }: Connected) {
  const { rows } = await app.admin.query(
    `SELECT type, device_id, data FROM events WHERE user_id = $1 AND type LIKE 'device.%' ORDER BY xid, id`,
    [userUuid],
  );
  return rows;
}
const typesOf = async (one: Connected) => (await eventsOf(one)).map(({ type }) => type);

async function rowOf({ deviceId }: Connected) {
  const { rows } = await app.admin.query('SELECT * FROM connections WHERE device_id = $1', [deviceId]);
  return rows[0];
}

/** Runs one sync now. */
async function sync({ deviceId }: Connected): Promise<void> {
  await app.admin.query(
    `UPDATE connections SET due_at = tributary_now(), poll_at = tributary_now() WHERE device_id = $1 AND tokens IS NOT NULL`,
    [deviceId],
  );
  await syncConnection(app.ctx, deviceId, new AbortController().signal);
}

async function batchesOf({ userUuid }: Connected): Promise<string[]> {
  const { rows } = await app.admin.query(
    'SELECT batch_id AS id FROM raw_batches WHERE user_id = $1 ORDER BY 1',
    [userUuid],
  );
  return rows.map(({ id }) => id);
}

const grantsOf = ({ person }: Connected) => app.lab.grants().filter(({ personId }) => personId === person);
const isRevoked = (one: Connected) => grantsOf(one).every(({ revoked }) => revoked);

/** Stores tokens that the provider does not know, and returns a function that restores the good ones. */
async function spoilTokens({ deviceId }: Connected): Promise<() => Promise<void>> {
  const put = (tokens: Buffer) =>
    app.admin.query('UPDATE connections SET tokens = $2 WHERE device_id = $1', [deviceId, tokens]);
  const { tokens: good } = await rowOf({ deviceId } as Connected);
  const known = unsealTokens(app.ctx.keyring, deviceId, good);
  const spoilt = { ...known, accessToken: 'not-known', refreshToken: 'not-known' };
  await put(sealTokens(app.ctx.keyring, deviceId, spoilt));
  return async () => void (await put(good));
}

async function daysOf({ userId }: Connected): Promise<number> {
  await app.processPending();
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const { body } = await app.request(
    'GET',
    `/v1/users/${userId}/daily?start_date=${day(5)}&end_date=${day(0)}&metrics=steps`,
  );
  return body.data.length;
}

describe('connection events', () => {
  test('sends one event for a connection, and none when an active one is authorized again', async () => {
    const one = await connected();
    expect(await eventsOf(one)).toEqual([
      { type: 'device.connected', device_id: one.deviceId, data: { provider: 'oura' } },
    ]);
    const { connected_at } = await deviceOf(one);
    const again = await connected('oura', one.person, one.userId);
    expect(again.id).toBe(one.id);
    expect(await typesOf(one)).toEqual(['device.connected']);
    expect(await deviceOf(one)).toMatchObject({ status: 'active', connected_at });
  });

  test('sends no event when a suspect device is authorized again', async () => {
    const one = await connected();
    await spoilTokens(one);
    await sync(one);
    expect((await deviceOf(one)).status).toBe('suspect');
    await connected('oura', one.person, one.userId);
    expect(await deviceOf(one)).toMatchObject({ status: 'active', sync: { reason: 'on_time' } });
    expect(await typesOf(one)).toEqual(['device.connected']);
  });
});

describe('rejected token refreshes', () => {
  test('make the device suspect after one, and active again after the next success', async () => {
    const one = await connected();
    await sync(one);
    const repairTokens = await spoilTokens(one);
    const before = app.ctx.clock.now();
    await sync(one);
    expect(await deviceOf(one)).toMatchObject({
      status: 'suspect',
      sync: { state: 'late', reason: 'consent_refused', next_step: expect.any(String) },
    });
    const { due_at: dueAt, tokens, refusals } = await rowOf(one);
    expect([tokens === null, refusals]).toEqual([false, 1]);
    expect(Date.parse(dueAt) - before).toBeGreaterThan(60_000);
    await repairTokens();
    await sync(one);
    expect(await deviceOf(one)).toMatchObject({
      status: 'active',
      sync: { reason: 'on_time', state: 'fresh' },
    });
    expect(await typesOf(one)).toEqual(['device.connected']);
  });

  test('are counted from zero after a success', async () => {
    const one = await connected('whoop');
    for (let round = 0; round < 2; round += 1) {
      const repairTokens = await spoilTokens(one);
      await sync(one);
      await sync(one);
      expect((await deviceOf(one)).status).toBe('suspect');
      await repairTokens();
      await sync(one);
      expect((await deviceOf(one)).status).toBe('active');
    }
    expect(await typesOf(one)).toEqual(['device.connected']);
  });

  test('end the connection after three in a row; its history stays, and it returns with the same ID', async () => {
    const one = await connected();
    await sync(one);
    const days = await daysOf(one);
    expect(days).toBeGreaterThan(0);
    await spoilTokens(one);
    for (let times = 1; times <= 3; times += 1) {
      await sync(one);
      expect((await deviceOf(one)).status).toBe(times < 3 ? 'suspect' : 'expired');
    }
    expect(await deviceOf(one)).toMatchObject({
      sync: { state: 'revoked', reason: 'consent_ended', next_step: expect.stringContaining('/devices`') },
    });
    expect(await rowOf(one)).toMatchObject({
      tokens: null,
      due_at: null,
      poll_at: null,
      history_due_at: null,
    });
    expect((await eventsOf(one)).at(-1)).toEqual({
      type: 'device.disconnected',
      device_id: one.deviceId,
      data: { provider: 'oura', reason: 'consent_ended' },
    });
    expect(await daysOf(one)).toBe(days);
    await sync(one);
    expect(await typesOf(one)).toEqual(['device.connected', 'device.disconnected']);

    const again = await connected('oura', one.person, one.userId);
    expect(again.id).toBe(one.id);
    expect(await deviceOf(one)).toMatchObject({ status: 'active', sync: { reason: 'on_time' } });
    expect(await typesOf(one)).toEqual(['device.connected', 'device.disconnected', 'device.connected']);
    await sync(one);
    expect(await daysOf(one)).toBe(days);
  });
});

test('a consent withdrawn at the provider ends the connection with one event and keeps its history', async () => {
  const one = await connected('whoop');
  await sync(one);
  const days = await daysOf(one);
  for (const { id } of grantsOf(one)) app.lab.revoke(id);
  for (let times = 0; times < 4; times += 1) await sync(one);
  expect(await deviceOf(one)).toMatchObject({ status: 'expired', sync: { reason: 'consent_ended' } });
  expect(await typesOf(one)).toEqual(['device.connected', 'device.disconnected']);
  expect(await daysOf(one)).toBe(days);
  const { rows } = await app.admin.query(
    `SELECT action FROM audit_intake WHERE target_id = $1 UNION ALL SELECT action FROM audit_log WHERE target_id = $1`,
    [one.id],
  );
  expect(rows.filter(({ action }) => action === 'device.expired')).toHaveLength(1);
});

describe('device removal', () => {
  test('hides the device immediately, revokes the consent at the provider, and removes the history', async () => {
    const one = await connected();
    await sync(one);
    expect(await daysOf(one)).toBeGreaterThan(0);
    expect((await batchesOf(one)).length).toBeGreaterThan(0);
    expect((await app.request('DELETE', `/v1/users/${one.userId}/devices/${one.id}`)).status).toBe(204);
    expect(await deviceOf(one)).toBeUndefined();
    expect(await rowOf(one)).toMatchObject({ due_at: null, poll_at: null, history_due_at: null });
    expect((await eventsOf(one)).at(-1)).toMatchObject({ data: { provider: 'oura', reason: 'removed' } });
    await using _jobs = await app.startJobs();
    await expect.poll(() => isRevoked(one), { timeout: 20_000 }).toBe(true);
    await expect.poll(() => rowOf(one), { timeout: 20_000 }).toBeUndefined();
    expect(await daysOf(one)).toBe(0);
    expect(await batchesOf(one)).toEqual([]);
    const devices = await app.admin.query('SELECT FROM devices WHERE user_id = $1', [one.userUuid]);
    expect(devices.rowCount).toBe(0);
  });

  test('removes what the sandbox simulated for the device, and keeps the data of other devices', async () => {
    const body = { reference_id: crypto.randomUUID(), timezone: 'Europe/Berlin' };
    const { id } = (await app.request('POST', '/v1/users', { key: app.account.sandboxKey, body })).body.data;
    await app.processPending();
    const one = await connected('oura', newPerson(), id);
    const before = await batchesOf(one);
    expect((await app.request('DELETE', `/v1/users/${one.userId}/devices/${one.id}`)).status).toBe(204);
    await using _jobs = await app.startJobs();
    await expect.poll(() => rowOf(one), { timeout: 20_000 }).toBeUndefined();
    const after = await batchesOf(one);
    expect(before).toEqual(expect.arrayContaining(after));
    expect(after).toHaveLength(before.length - 1);
  });

  test('keeps the consent if the same person is another user', async () => {
    const one = await connected('whoop');
    const other = await connected('whoop', one.person);
    await app.request('DELETE', `/v1/users/${one.userId}/devices/${one.id}`);
    await endConsent(app.ctx, (await findConsentOfRemoved(app.ctx.operator, one.deviceId))!);
    expect(isRevoked(one)).toBe(false);
    await sync(other);
    expect(await deviceOf(other)).toMatchObject({ status: 'active', sync: { reason: 'on_time' } });
    // Removing the last device revokes it.
    await app.request('DELETE', `/v1/users/${other.userId}/devices/${other.id}`);
    await endConsent(app.ctx, (await findConsentOfRemoved(app.ctx.operator, other.deviceId))!);
    expect(isRevoked(one)).toBe(true);
  });

  test('keeps the consent if the user has connected again since', async () => {
    const one = await connected();
    await app.request('DELETE', `/v1/users/${one.userId}/devices/${one.id}`);
    const again = await connected('oura', one.person, one.userId);
    expect(again.id).not.toBe(one.id);
    await endConsent(app.ctx, (await findConsentOfRemoved(app.ctx.operator, one.deviceId))!);
    await sync(again);
    expect(await deviceOf(again)).toMatchObject({ status: 'active', sync: { reason: 'on_time' } });
    expect(isRevoked(again)).toBe(false);
  });

  test('sends nothing to the provider for a device that was never authorized', async () => {
    const userId = await app.createUser();
    const { id } = (await app.connect(userId, 'oura')).body.data;
    await app.request('DELETE', `/v1/users/${userId}/devices/${id}`);
    const consent = (await findConsentOfRemoved(app.ctx.operator, parseId('dev', id)!))!;
    // There is no outbound client here, and none is used.
    await expect(endConsent({ ...app.ctx, outbound: null as never }, consent)).resolves.toBeUndefined();
  });
});

describe('an unreachable provider', () => {
  /** The same service without a connection to any provider. */
  const offlineContext = () => ({
    ...app.ctx,
    config: { ...app.ctx.config, lab: { ...app.ctx.config.lab!, url: 'http://127.0.0.1:1' } },
  });

  test('does not block the removal of history, and the revocation is retried', async () => {
    const one = await connected();
    await sync(one);
    expect(await daysOf(one)).toBeGreaterThan(0);
    await app.request('DELETE', `/v1/users/${one.userId}/devices/${one.id}`);
    await using _jobs = await app.startJobs(offlineContext());
    await expect.poll(() => daysOf(one), { timeout: 20_000 }).toBe(0);
    await expect
      .poll(async () => (await rowOf(one))?.revoke_tries ?? 9, { timeout: 20_000 })
      .toBeGreaterThan(0);
    expect((await rowOf(one)).tokens).not.toBeNull();
  });

  test('is abandoned after a few attempts', async () => {
    const one = await connected();
    await app.request('DELETE', `/v1/users/${one.userId}/devices/${one.id}`);
    const end = async () =>
      endConsent(offlineContext(), (await findConsentOfRemoved(app.ctx.operator, one.deviceId))!).then(
        () => 'over',
        () => 'again',
      );
    const came: string[] = [];
    while (came.at(-1) !== 'over' && came.length < 9) came.push(await end());
    expect(came).toEqual([...Array(5).fill('again'), 'over']);
    expect(isRevoked(one)).toBe(false);
  });

  test('does not block the erasure of a deleted user', { timeout: 90_000 }, async () => {
    const one = await connected();
    await sync(one);
    await app.processPending();
    // Most of the attempts are used up.
    await app.admin.query('UPDATE connections SET revoke_tries = 4 WHERE device_id = $1', [one.deviceId]);
    await app.request('DELETE', `/v1/users/${one.userId}`);
    await using _jobs = await app.startJobs(offlineContext());
    await expect.poll(() => rowsLeftOf(one), { timeout: 60_000 }).toEqual({});
  });
});

test('deleting a user revokes all consents and removes all data', { timeout: 90_000 }, async () => {
  const person = newPerson();
  const one = await connected('oura', person);
  const providers = ['whoop', 'garmin', 'strava'].filter((id) => findProvider(id));
  for (const provider of providers) await connected(provider, person, one.userId);
  await app.connect(one.userId, 'oura');
  await sync(one);
  expect(Object.keys(await rowsLeftOf(one))).toEqual(
    expect.arrayContaining([
      'connect_links',
      'connections',
      'connection_streams',
      'sync_runs',
      'raw_batches',
      'devices',
    ]),
  );
  expect(grantsOf(one)).toHaveLength(providers.length + 1);
  expect((await app.request('DELETE', `/v1/users/${one.userId}`)).status).toBe(202);
  expect((await app.request('GET', `/v1/users/${one.userId}/devices`)).status).toBe(404);
  await using _jobs = await app.startJobs();
  await expect.poll(() => rowsLeftOf(one), { timeout: 60_000 }).toEqual({});
  const ended = grantsOf(one).filter(({ provider }) => findProvider(provider)!.oauth.revoke !== null);
  expect(ended.map(({ provider, revoked }) => [provider, revoked])).toEqual(
    ended.map(({ provider }) => [provider, true]),
  );
});

test('removing a device waits for a run that records its result, without a deadlock', async () => {
  const one = await connected();
  let removing: Promise<{ status: number }> | undefined;
  await inTransaction(app.ctx.operator, async (tx) => {
    // The lock order of a finishing run: connection, device, user.
    await tx.query({
      text: 'UPDATE connections SET failures = 1 WHERE device_id = $1',
      values: [one.deviceId],
    });
    removing = app.request('DELETE', `/v1/users/${one.userId}/devices/${one.id}`);
    await vi.waitUntil(async () => {
      const { rows } = await app.admin.query(
        `SELECT FROM pg_locks WHERE NOT granted AND locktype IN ('tuple', 'transactionid')`,
      );
      return rows.length > 0;
    });
    await tx.query({
      text: `UPDATE devices SET sync_reason = 'on_time' WHERE id = $1`,
      values: [one.deviceId],
    });
    await touchUser(tx, one.userUuid);
  });
  expect((await removing)?.status).toBe(204);
});

/** The number of rows of a user per table, for tables that have any. */
async function rowsLeftOf({ userUuid }: Connected): Promise<Record<string, number>> {
  const left: Record<string, number> = {};
  for (const { name, rows } of erasedTables) {
    const { rowCount } = await app.admin.query(`SELECT FROM ${name} WHERE ${rows}`, [userUuid]);
    if (rowCount! > 0) left[name] = rowCount!;
  }
  return left;
}

test('a user can connect while live syncs have exhausted the burst limit', async () => {
  await app.admin.query(
    `INSERT INTO provider_limits (environment, provider, subject, rule, arrival_at)
     SELECT 'sandbox', 'strava', '', 0, tributary_now() + 0.25 / 0.7 * interval '900 seconds'
     ON CONFLICT (environment, provider, subject, rule) DO UPDATE SET arrival_at = excluded.arrival_at`,
  );
  const one = await connected('strava');
  expect(await deviceOf(one)).toMatchObject({ status: 'active' });
  await sync(one);
  expect(await rowOf(one)).toMatchObject({ failure: 'limited' });
});

test('reads and stores the permissions that a Garmin user granted, within the limits', async () => {
  await app.admin.query(
    `INSERT INTO provider_limits (environment, provider, subject, rule, arrival_at)
     SELECT 'sandbox', 'garmin', '', 0, tributary_now() + interval '15 seconds'
     ON CONFLICT (environment, provider, subject, rule) DO UPDATE SET arrival_at = excluded.arrival_at`,
  );
  const arrival = async (): Promise<number> => {
    const { rows } = await app.admin.query<{ at: number }>(
      `SELECT extract(epoch FROM arrival_at)::float8 AS at FROM provider_limits WHERE provider = 'garmin' AND rule = 0`,
    );
    return rows[0]!.at;
  };
  const before = await arrival();
  const one = await connected('garmin');
  // Two calls, for the user's ID and the permissions, at 70 calls per minute.
  expect((await arrival()) - before).toBeCloseTo((2 * 60) / 70, 3);
  const { tokens } = await rowOf(one);
  expect(unsealTokens(app.ctx.keyring, one.deviceId, tokens).scopes).toEqual(
    findProvider('garmin')!.oauth.scopes,
  );
});

const isDue = async (one: Connected, priority: 'live' | 'history') =>
  (await listDueConnections(app.ctx.operator, priority, 1_000)).some(
    ({ deviceId }) => deviceId === one.deviceId,
  );

test('history waits for the first live poll', async () => {
  const one = await connected();
  expect([await isDue(one, 'live'), await isDue(one, 'history')]).toEqual([true, false]);
  await sync(one);
  expect([await isDue(one, 'live'), await isDue(one, 'history')]).toEqual([false, true]);
});

describe('a user who was withdrawn from a roster', () => {
  const setStatus = ({ userUuid }: Connected, status: string) =>
    app.admin.query('UPDATE users SET status = $2 WHERE id = $1', [userUuid, status]);

  test('is not synced until they return', async () => {
    const one = await connected();
    expect(await isDue(one, 'live')).toBe(true);
    await setStatus(one, 'withdrawn');
    expect([await isDue(one, 'live'), await isDue(one, 'history')]).toEqual([false, false]);
    expect((await app.connect(one.userId, 'oura')).status).toBe(404);
    expect(isRevoked(one)).toBe(false);
    await setStatus(one, 'active');
    expect(await isDue(one, 'live')).toBe(true);
    await sync(one);
    expect(await deviceOf(one)).toMatchObject({ id: one.id, status: 'active' });
  });

  test('cannot connect with an earlier link', async () => {
    const userId = await app.createUser();
    const { id, auth_url: url } = (await app.connect(userId, 'oura')).body.data;
    const one = { userId, userUuid: parseId('user', userId)!, id, deviceId: parseId('dev', id)!, person: '' };
    await setStatus(one, 'withdrawn');
    expect((await app.authorize(url, newPerson())).status).toBe(410);
    expect((await rowOf(one)).tokens).toBeNull();
  });
});
