import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plantUser } from '../../test/data/plant-user.ts';
import { selectMany } from '../../store/users/read.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { VersionLookup } from './version-lookup.ts';

let app: TestApp;
let tenants: Tenant[];
const users = new Map<Tenant, string[]>();

beforeAll(async () => {
  app = await startTestApp();
  const accounts = [app.account, await app.createAccount(), await app.createAccount()];
  tenants = accounts.flatMap(({ uuid }) => [
    { accountId: uuid, environment: 'live' as const },
    { accountId: uuid, environment: 'sandbox' as const },
  ]);
  for (const tenant of tenants)
    users.set(tenant, await Promise.all([1, 2, 3].map(() => plantUser(app.admin, tenant))));
});
afterAll(() => app[Symbol.asyncDispose]());

test('concurrent lookups of many tenants each find only their own user', async () => {
  for (const [at, id] of [...users.values()].flat().entries())
    await app.admin.query(`UPDATE users SET timezone = $2 WHERE id = $1`, [id, `Etc/GMT+${at % 12}`]);
  const { rows } = await app.admin.query<{ id: string; version: number; timezones: string }>(
    `SELECT id, data_version::int4 AS version, timezone AS timezones FROM users`,
  );
  const stored = new Map(
    rows.map(({ id, version, timezones }) => [id, { version, timezones, daysAhead: 0 }]),
  );
  const everyone = [...users.values()].flat();
  const questions = tenants.flatMap((tenant) => everyone.map((id) => ({ tenant, id })));
  questions.sort(() => Math.random() - 0.5);
  const results = await Promise.all(questions.map(({ tenant, id }) => app.ctx.versions.find(tenant, id)));
  for (const [at, { tenant, id }] of questions.entries())
    expect(results[at]).toEqual(users.get(tenant)!.includes(id) ? stored.get(id) : null);
  expect(results.filter(Boolean)).toHaveLength(everyone.length);
});

test('finds neither an unknown user nor one that is being deleted', async () => {
  const [tenant] = tenants as [Tenant];
  const [, , last] = users.get(tenant)!;
  expect(await app.ctx.versions.find(tenant, randomUUID())).toBeNull();
  await app.admin.query(`UPDATE users SET status = 'deleting' WHERE id = $1`, [last]);
  expect(await app.ctx.versions.find(tenant, last!)).toBeNull();
});

test('groups lookups while statements run, so that a hundred take only a few', async () => {
  const [tenant] = tenants as [Tenant];
  const [id] = users.get(tenant)!;
  let statements = 0;
  const counting = { query: (query: never) => ((statements += 1), app.ctx.db.query(query)) };
  const lookup = new VersionLookup(counting as never);
  const results = await Promise.all(Array.from({ length: 100 }, () => lookup.find(tenant, id!)));
  expect(new Set(results.map((user) => user?.version)).size).toBe(1);
  expect(statements).toBeLessThan(8);
});

test('fails only the lookups of a failed statement', async () => {
  const [tenant] = tenants as [Tenant];
  const [id] = users.get(tenant)!;
  let fails = true;
  const failing = {
    query: (query: never) => (fails ? Promise.reject(new Error('gone')) : app.ctx.db.query(query)),
  };
  const lookup = new VersionLookup(failing as never);
  await expect(lookup.find(tenant, id!)).rejects.toThrow('gone');
  fails = false;
  expect(await lookup.find(tenant, id!)).toMatchObject({ timezones: expect.any(String) });
});

test('reads a user by the primary key, however many users the account has', async () => {
  await app.admin.query(
    `INSERT INTO users (id, account_id, environment, reference_id)
     SELECT gen_random_uuid(), $1, 'live', 'many-' || n FROM generate_series(1, 500) n`,
    [tenants[0]!.accountId],
  );
  await app.admin.query('ANALYZE users');
  const client = await app.admin.connect();
  try {
    await client.query(
      `BEGIN; SET LOCAL ROLE tributary_service; SET LOCAL plan_cache_mode = force_generic_plan;
       PREPARE lookup AS ${selectMany.text}`,
    );
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN EXECUTE lookup ('{}', '{}', '{}')`,
    );
    const indexes = rows.flatMap((row) => row['QUERY PLAN'].match(/using (\w+)/)?.[1] ?? []);
    expect(indexes).toEqual(['users_pkey']);
  } finally {
    await client.query('ROLLBACK; DEALLOCATE ALL');
    client.release();
  }
});
