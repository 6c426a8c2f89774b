import { randomUUID } from 'node:crypto';
import { findMetric } from '@tributary/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatId, parseId } from '../../ids.ts';
import { inTransaction } from '../../store/database/database.ts';
import { touchUser } from '../../store/users/read.ts';
import { createFailingPool } from '../../test/failing-pool.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../test/data/uploads.ts';
import { removeDevice } from './remove-device.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const watch = { id: 'watch-1' };
const ring = { id: 'ring-1', kind: 'ring' };
const night = (id: string, from: string, to: string) => ({ id, start: from, end: to });
/** A day with data of every kind. Only the device differs. */
const dayOf = (steps: number, sleepId: string) => ({
  records: [
    { metric: 'steps', start: '2026-03-01T08:00:00Z', end: '2026-03-01T09:00:00Z', value: steps },
    { metric: 'weight', start: '2026-03-01T07:00:00Z', value: 61.5, id: `weight-${sleepId}` },
  ],
  sleep: [night(sleepId, '2026-02-28T22:30:00Z', '2026-03-01T06:10:00Z')],
  workouts: [
    { id: `w-${sleepId}`, sport_type: 'running', start: '2026-03-01T17:00:00Z', end: '2026-03-01T17:40:00Z' },
  ],
});

const onlyByRing = { metric: 'floors_climbed', date: '2026-02-20', value: 12 };

const deviceTables = ['sample_chunks', 'device_days', 'device_sleep', 'device_workouts', 'device_records'];
const canonicalTables = ['canonical_months', 'canonical_sleep', 'canonical_workouts'];
const batchTables = ['raw_batches', 'receipts', 'pending_batches', 'dead_letters'];

interface Rows {
  [table: string]: unknown[];
}

async function rowsOf(userId: string, tables: string[], part = ''): Promise<Rows> {
  const rowsByTable: Rows = {};
  for (const table of tables) {
    const { rows } = await app.admin.query(
      `SELECT to_jsonb(t) ${part} AS row FROM ${table} t WHERE user_id = $1 ORDER BY t::text`,
      [userId],
    );
    rowsByTable[table] = rows.map(({ row }) => row);
  }
  return rowsByTable;
}

async function devicesOf(id: string): Promise<string[]> {
  return (await app.request('GET', `/v1/users/${id}/devices`)).body.data.map(
    (device: { id: string }) => device.id,
  );
}

async function eventsOf(userId: string) {
  const { rows } = await app.admin.query(
    `SELECT type, device_id, metrics, data FROM events WHERE user_id = $1 ORDER BY xid, id`,
    [userId],
  );
  return rows;
}

/** The waiting jobs of this user. */
async function jobsOf(userId: string): Promise<{ userId: string; deviceId: string }[]> {
  const { rows } = await app.admin.query(
    `SELECT data FROM pgboss.job WHERE name = 'remove-device' AND state = 'created' AND data ->> 'userId' = $1`,
    [userId],
  );
  return rows.map(({ data }) => data);
}

describe('a user with a watch and a ring', () => {
  let id: string;
  let userId: string;
  let phone: PhoneUser;
  let ringId: string;
  let watchId: string;
  let withWatchOnly: Rows;
  let ofWatch: string;
  let ofRing: string;

  beforeEach(async () => {
    phone = await createPhoneUser(app);
    ({ id, uuid: userId } = phone);
    ofWatch = await phone.upload(watch, dayOf(4_000, 'by-watch'));
    await workThrough(app);
    withWatchOnly = await rowsOf(userId, [...deviceTables, ...canonicalTables]);
    [watchId] = (await devicesOf(id)) as [string];
    ofRing = await phone.upload(ring, { ...dayOf(9_000, 'by-ring'), daily: [onlyByRing] });
    await workThrough(app);
    ringId = (await devicesOf(id)).find((deviceId) => deviceId !== watchId)!;
  });

  const remove = async () => {
    expect((await app.request('DELETE', `/v1/users/${id}/devices/${ringId}`)).status).toBe(204);
    return { userId, deviceId: parseId('dev', ringId)! };
  };
  const deviceRows = async () =>
    (await app.admin.query('SELECT FROM devices WHERE user_id = $1', [userId])).rowCount;

  // @contract all/sources: Removing a device deletes all of its data
  test('has the values it would have without the ring, and no data of the ring', async () => {
    expect(await rowsOf(userId, canonicalTables)).not.toEqual(
      Object.fromEntries(canonicalTables.map((table) => [table, withWatchOnly[table]])),
    );
    const removed = await remove();
    expect(await jobsOf(userId)).toEqual([removed]);
    await removeDevice(app.ctx, removed);
    expect(await rowsOf(userId, [...deviceTables, ...canonicalTables])).toEqual(withWatchOnly);
    const batches = await rowsOf(userId, batchTables, `-> 'batch_id'`);
    expect(batches).toEqual({
      raw_batches: [ofWatch],
      receipts: [ofWatch],
      pending_batches: [],
      dead_letters: [],
    });
    expect(await deviceRows()).toBe(1);
  });

  test('waits for a transaction that writes data of the ring, without a deadlock', async () => {
    let removing: Promise<unknown> = Promise.resolve();
    await inTransaction(app.ctx.operator, async (tx) => {
      await tx.query({
        text: 'UPDATE devices SET last_sync_at = tributary_now() WHERE user_id = $1',
        values: [userId],
      });
      removing = remove();
      await vi.waitUntil(async () => {
        const { rows } = await app.admin.query(
          `SELECT FROM pg_locks WHERE NOT granted AND locktype IN ('tuple', 'transactionid')`,
        );
        return rows.length > 0;
      });
      await touchUser(tx, userId);
    });
    await removing;
    expect(await devicesOf(id)).toEqual([watchId]);
  });

  // @contract devices/fields: A removed device is not listed
  test('hides the ring and sends the event in the same transaction, and returns 404 the second time', async () => {
    const before = (await eventsOf(userId)).length;
    const removed = await remove();
    expect(await devicesOf(id)).toEqual([watchId]);
    expect((await app.request('GET', `/v1/users/${id}`)).body.data.devices).toHaveLength(1);
    const disconnected = {
      type: 'device.disconnected',
      device_id: removed.deviceId,
      metrics: [],
      data: { provider: 'apple_health', reason: 'removed' },
    };
    expect((await eventsOf(userId)).slice(before)).toEqual([disconnected]);
    expect((await app.request('DELETE', `/v1/users/${id}/devices/${ringId}`)).status).toBe(404);
    expect((await eventsOf(userId)).slice(before)).toEqual([disconnected]);
    await removeDevice(app.ctx, removed);
    expect((await app.request('DELETE', `/v1/users/${id}/devices/${ringId}`)).status).toBe(404);
  });

  test('gets one event with the changed values', async () => {
    const removed = await remove();
    const before = (await eventsOf(userId)).length;
    await removeDevice(app.ctx, removed);
    await removeDevice(app.ctx, removed);
    const [event, ...rest] = (await eventsOf(userId)).slice(before);
    expect(rest).toEqual([]);
    expect(event).toMatchObject({
      type: 'data.updated',
      device_id: removed.deviceId,
      data: { change: 'deleted', first_date: '2026-02-20', last_date: '2026-03-01', backfill: true },
    });
    expect(event.metrics).toContain(findMetric('floors_climbed')!.no);
  });

  test('keeps data that the ring sends afterwards, as a new device', async () => {
    const late = await phone.upload(ring, dayOf(100, 'too-late')); // arrived before, not processed yet
    const removed = await remove();
    const later = await phone.upload(ring, dayOf(7_000, 'again'));
    await workThrough(app);
    await removeDevice(app.ctx, removed);
    const batches = await rowsOf(userId, batchTables, `-> 'batch_id'`);
    expect(batches['raw_batches']!.toSorted()).toEqual([ofWatch, later].toSorted());
    expect(batches['receipts']!.toSorted()).toEqual([ofWatch, later].toSorted());
    expect(batches['raw_batches']).not.toContain(late);
    expect(batches['raw_batches']).not.toContain(ofRing);
    const listed = await devicesOf(id);
    expect(listed).toHaveLength(2);
    expect(listed).not.toContain(ringId);
    const { rows } = await app.admin.query(
      `SELECT DISTINCT source_id FROM device_sleep WHERE user_id = $1 ORDER BY 1`,
      [userId],
    );
    expect(rows.map(({ source_id }) => source_id)).toEqual(['again', 'by-watch']);
  });

  test('also removes waiting batches and dead letters', async () => {
    const waiting = await phone.upload(ring, dayOf(1, 'waiting'));
    const broken = await phone.upload(ring, dayOf(2, 'broken'));
    await app.admin.query(`DELETE FROM pending_batches WHERE batch_id = $1`, [broken]);
    await app.admin.query(
      `INSERT INTO dead_letters (user_id, batch_id, attempts, reason) VALUES ($1, $2, 8, 'Error')`,
      [userId, broken],
    );
    await removeDevice(app.ctx, await remove());
    const batches = await rowsOf(userId, batchTables, `-> 'batch_id'`);
    expect(batches).toEqual({
      raw_batches: [ofWatch],
      receipts: [ofWatch],
      pending_batches: [],
      dead_letters: [],
    });
    expect(waiting).not.toBe(broken);
  });

  test('has the same result if the job is interrupted at any statement', async () => {
    const removed = await remove();
    let statements = 0;
    for (;;) {
      const interruptedCtx = { ...app.ctx, operator: createFailingPool(app.ctx.operator, statements) };
      const whole = await removeDevice(interruptedCtx, removed).then(
        () => true,
        () => false,
      );
      if (whole) break;
      expect(await deviceRows(), `after ${statements} statements`).toBe(2);
      statements += 1;
    }
    expect(statements).toBeGreaterThan(15);
    expect(await rowsOf(userId, [...deviceTables, ...canonicalTables])).toEqual(withWatchOnly);
    expect(await deviceRows()).toBe(1);
    const deletionEvents = (await eventsOf(userId)).filter(({ data }) => data.change === 'deleted');
    expect(deletionEvents).toHaveLength(1);
  });

  test('leaves the job nothing to do if the user is deleted in the meantime', async () => {
    const removed = await remove();
    await app.request('DELETE', `/v1/users/${id}`);
    await removeDevice(app.ctx, removed);
    expect(await deviceRows()).toBe(2);
  });

  test.each([
    ['unknown', () => formatId('dev', randomUUID())],
    ['malformed', () => 'dev_1'],
    ['of another kind', () => id],
  ])('returns 404 for a device ID that is %s', async (_kind, deviceId) => {
    const response = await app.request('DELETE', `/v1/users/${id}/devices/${deviceId()}`);
    expect(response.status).toBe(404);
    expect(response.body.error).toBe('not_found');
    expect(await jobsOf(userId)).toEqual([]);
  });

  test('returns 404 for a device of another user of the same account', async () => {
    const { id: other } = await createPhoneUser(app);
    const response = await app.request('DELETE', `/v1/users/${other}/devices/${ringId}`);
    expect(response.status).toBe(404);
    expect(await devicesOf(id)).toContain(ringId);
  });
});
