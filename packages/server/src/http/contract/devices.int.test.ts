import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatId, parseId } from '../../ids.ts';
import { removeDevice } from '../../services/devices/remove-device.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { createPhoneUser, workThrough, type PhoneUser } from '../../test/data/uploads.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const devicesOf = ({ id }: PhoneUser) => app.request('GET', `/v1/users/${id}/devices`);
const stepsOf = async ({ id }: PhoneUser) =>
  (await app.request('GET', `/v1/users/${id}/daily?types=steps&from_date=2026-03-01&to_date=2026-03-02`)).body
    .series.steps;

// @contract devices/fields: `data` lists devices with `id`, `provider`, `status`, `connected_at`, `last_sync_at`
// @contract devices/fields: Devices are listed in the order they were connected
// @contract devices/fields: `last_sync_at` is the time of the latest new data, of the device and of the user
test('returns 200 with every known device and exactly its documented fields', async () => {
  const user = await createPhoneUser(app);
  const before = app.ctx.clock.now();
  const daily = [{ metric: 'steps', date: '2026-03-01', value: 8420 }];
  await user.upload({ id: 'watch' }, { created_at: '2026-03-01T20:00:00Z', daily });
  await user.upload({ id: 'phone', kind: 'phone' }, { created_at: '2026-03-01T20:30:00Z', daily });
  await workThrough(app);
  const { status, body } = await devicesOf(user);
  expect(status).toBe(200);
  const common = {
    id: expect.stringMatching(/^dev_[0-9a-z]{26}$/),
    provider: 'apple_health',
    status: 'active',
    last_sync_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    sync: null,
  };
  expect(body).toStrictEqual({
    data: [
      { ...common, connected_at: '2026-03-01T20:00:00.000Z' },
      { ...common, connected_at: '2026-03-01T20:30:00.000Z' },
    ],
  });
  for (const { last_sync_at } of body.data) {
    expect(Date.parse(last_sync_at)).toBeGreaterThanOrEqual(before - 1000);
    expect(Date.parse(last_sync_at)).toBeLessThanOrEqual(app.ctx.clock.now() + 1000);
  }
  const person = await app.request('GET', `/v1/users/${user.id}`, { headers: { 'api-form': '2' } });
  expect(person.body.last_sync_at).toBe(body.data[0].last_sync_at);
});

// @contract devices/fields: A device is `active`, or `pending` until it is authorized
// @contract devices/fields: `auth_url` is returned when connecting, not in this list
test('lists an unauthorized device as pending, without connection time and authorization URL', async () => {
  const user = await createPhoneUser(app);
  const id = randomUUID();
  await app.insertDevice(user.uuid, { id, provider: 'garmin', status: 'pending' });
  await app.admin.query('UPDATE devices SET connected_at = NULL WHERE id = $1', [id]);
  expect((await devicesOf(user)).body).toStrictEqual({
    data: [
      {
        id: formatId('dev', id),
        provider: 'garmin',
        status: 'pending',
        connected_at: null,
        last_sync_at: null,
        sync: null,
      },
    ],
  });
});

// @contract devices/fields: A user without devices has an empty list
test('returns an empty list for a user without devices', async () => {
  expect((await devicesOf(await createPhoneUser(app))).body).toStrictEqual({ data: [] });
});

// @contract all/sources: A replaced device keeps its history until it is disconnected; new data belongs to the new device
test('keeps the history of a replaced device until it is disconnected, and assigns new data to the new one', async () => {
  const user = await createPhoneUser(app);
  const walked = (date: string, value: number) => ({ daily: [{ metric: 'steps', date, value }] });
  await user.upload({ id: 'old-watch' }, walked('2026-03-01', 5000));
  await workThrough(app);
  const [old] = (await devicesOf(user)).body.data;
  await user.upload({ id: 'new-watch' }, walked('2026-03-02', 6000));
  await workThrough(app);
  expect(await stepsOf(user)).toEqual([5000, 6000]);
  expect((await app.request('DELETE', `/v1/users/${user.id}/devices/${old.id}`)).status).toBe(204);
  await removeDevice(app.ctx, { userId: user.uuid, deviceId: parseId('dev', old.id)! });
  expect(await stepsOf(user)).toEqual([null, 6000]);
  expect((await devicesOf(user)).body.data).toHaveLength(1);
});
