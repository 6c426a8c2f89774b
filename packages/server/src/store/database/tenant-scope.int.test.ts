import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asService } from '../../test/apps/as-service.ts';
import { plantUser } from '../../test/data/plant-user.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';

/** Only row-level security: no statement here filters by tenant or user. */

let app: TestApp;
let own: string;
let foreign: string;
const walled = [
  'raw_batches',
  'pending_batches',
  'receipts',
  'dead_letters',
  'devices',
  'sample_chunks',
  'device_days',
  'device_sleep',
  'device_workouts',
  'device_records',
  'canonical_months',
  'canonical_sleep',
  'canonical_workouts',
  'score_days',
  'stale_scores',
  'sync_runs',
];

beforeAll(async () => {
  app = await startTestApp();
  const tenant = { accountId: app.account.uuid, environment: 'live' } as const;
  own = await plantUser(app.admin, tenant);
  foreign = await plantUser(app.admin, tenant);
});
afterAll(() => app[Symbol.asyncDispose]());

test('lists every table with a policy on its user', async () => {
  const { rows } = await app.admin.query(`SELECT tablename FROM pg_policies WHERE policyname = 'own_user'`);
  expect(rows.map(({ tablename }) => tablename).toSorted()).toEqual(walled.toSorted());
});

describe.each(walled)('reads of %s', (table) => {
  const isGranted = async () =>
    (await app.admin.query(`SELECT has_table_privilege('tributary_service', $1, 'SELECT') AS yes`, [table]))
      .rows[0].yes;
  const usersSeen = async (settings: Record<string, string>) =>
    (await asService(app, settings, `SELECT user_id FROM ${table}`)).rows.map(({ user_id }) => user_id);

  test('the service sees only rows of the user in its settings', async () => {
    if (!(await isGranted())) {
      await expect(usersSeen({ user_id: own })).rejects.toMatchObject({ code: '42501' });
      // The policy must hold even if the privilege is granted one day.
      await app.admin.query(`GRANT SELECT ON ${table} TO tributary_service`);
    }
    expect(await usersSeen({})).toEqual([]);
    expect(await usersSeen({ user_id: own })).toEqual([own]);
    expect(await usersSeen({ user_id: foreign })).toEqual([foreign]);
    // The users of an upload reveal nothing either, except in the table that uploads have to read.
    expect(await usersSeen({ user_ids: `{${own}}` })).toEqual(table === 'raw_batches' ? [own] : []);
  });
});

describe.each([
  [
    'raw_batches',
    `(user_id, batch_id, received_at, created_at, scopes, digest, payload) VALUES ($1, gen_random_uuid(), now(), now(), 0, 'x', 'x')`,
  ],
  [
    'pending_batches',
    `(partition, user_id, batch_id, bytes) VALUES (partition_of($1), $1, gen_random_uuid(), 1)`,
  ],
])('inserts into %s', (table, row) => {
  const insert = (settings: Record<string, string>, userId: string) =>
    asService(app, settings, `INSERT INTO ${table} ${row}`, [userId]);
  const refused = { code: '42501', message: expect.stringContaining('row-level security') };

  test('the service inserts rows of the users in its settings', async () => {
    expect((await insert({ user_ids: `{${own}}` }, own)).rowCount).toBe(1);
    expect((await insert({ user_ids: `{${foreign},${own}}` }, own)).rowCount).toBe(1);
  });

  test('the service inserts no rows of other users', async () => {
    await expect(insert({}, own)).rejects.toMatchObject(refused);
    await expect(insert({ user_ids: '{}' }, own)).rejects.toMatchObject(refused);
    await expect(insert({ user_ids: `{${own}}` }, foreign)).rejects.toMatchObject(refused);
    await expect(insert({ user_ids: `{${own}}`, user_id: own }, foreign)).rejects.toMatchObject(refused);
  });
});
