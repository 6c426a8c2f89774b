import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tenant } from '../../store/database/tenant.ts';
import { plantUser } from '../../test/data/plant-user.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { deleteDevice } from '../devices/delete-device.ts';
import { deleteUser } from './delete-user.ts';
import { eraseUser } from './erase-user.ts';
import { resumeRemovals } from './resume-removals.ts';
import { testActing } from '../../test/acting.ts';

let app: TestApp;
let tenant: Tenant;
beforeAll(async () => {
  app = await startTestApp();
  tenant = { accountId: app.account.uuid, environment: 'live' };
});
afterAll(() => app[Symbol.asyncDispose]());

const waiting = async () => {
  const { rows } = await app.admin.query(
    `SELECT name, data FROM pgboss.job WHERE state = 'created' ORDER BY name`,
  );
  return rows;
};

test('enqueues lost jobs after an hour, and none for removals that still have one', async () => {
  const users = [await plantUser(app.admin, tenant), await plantUser(app.admin, tenant)] as const;
  const erased = await plantUser(app.admin, tenant);
  const { rows } = await app.admin.query('SELECT id FROM devices WHERE user_id = $1', [users[1]]);
  const deviceId: string = rows[0].id;
  await deleteUser(app.ctx, testActing(tenant), users[0]);
  await deleteUser(app.ctx, testActing(tenant), erased);
  await eraseUser(app.ctx, erased);
  await deleteDevice(app.ctx, testActing(tenant), { id: deviceId, userId: users[1] });
  await app.admin.query('DELETE FROM pgboss.job');

  expect(await resumeRemovals(app.ctx)).toEqual({ users: 0, devices: 0 });
  await app.moveClock(61 * 60_000);
  for (let round = 0; round < 2; round += 1) {
    expect(await resumeRemovals(app.ctx)).toEqual({ users: 1, devices: 1 });
    expect(await waiting()).toEqual([
      { name: 'erase-user', data: { userId: users[0] } },
      { name: 'remove-device', data: { userId: users[1], deviceId } },
    ]);
  }
});
