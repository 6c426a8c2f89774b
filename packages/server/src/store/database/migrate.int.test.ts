import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createContext } from '../../create-context.ts';
import { createLog } from '../../log.ts';
import { migrateAll, prepareDatabase } from '../../migrate.ts';
import { testConfig } from '../../test/apps/test-config.ts';
import { createTestDatabase, type TestDatabase } from '../../test/apps/test-database.ts';

const configFor = (url: string, more: Record<string, string> = {}) =>
  testConfig({ DATABASE_URL: url, NATS_URL: inject('engines').natsUrl, ...more });

describe('an empty database', () => {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  let url: string;
  let server: pg.Client;

  beforeAll(async () => {
    const { adminDatabaseUrl, databaseUrl } = inject('engines');
    server = new pg.Client({ connectionString: adminDatabaseUrl });
    await server.connect();
    await server.query(`CREATE DATABASE ${name} OWNER tributary`);
    url = databaseUrl.replace(/\/tributary$/, `/${name}`);
  });
  afterAll(async () => {
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.end();
  });

  test('rejects a node that may not migrate', async () => {
    const config = configFor(url, { MIGRATE_ON_START: 'false' });
    await expect(prepareDatabase(config, createLog(config, 'api'))).rejects.toThrow(
      /Run `tributary migrate` first/,
    );
  });

  test('is migrated once by five nodes that start together', async () => {
    const reports = await Promise.all(Array.from({ length: 5 }, () => migrateAll(configFor(url))));
    const applied = reports.flatMap((report) => report.applied);
    expect(applied.length).toBeGreaterThan(0);
    expect(new Set(applied).size).toBe(applied.length);
    const again = await migrateAll(configFor(url));
    expect(again.applied).toEqual([]);
  });

  test('stops a node when an applied migration was edited', async () => {
    const owner = new pg.Client({ connectionString: url });
    await owner.connect();
    await owner.query(`UPDATE schema_migrations SET checksum = 'other' WHERE name LIKE '0001%'`);
    await owner.end();
    await expect(migrateAll(configFor(url))).rejects.toThrow(/0001-foundation.sql was edited/);
  });
});

test('disables vacuum truncation on every table, because it would hold up the event feed', async () => {
  await using database = await createTestDatabase();
  const { rows } = await database.admin.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace IN ('public'::regnamespace, 'pgboss'::regnamespace)
       AND relkind = 'r' AND NOT 'vacuum_truncate=off' = ANY (coalesce(reloptions, '{}'))`,
  );
  expect(rows).toEqual([]);
});

describe('an unsafe database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  test('is rejected, with the setting named', async () => {
    const { rows } = await database.admin.query('SELECT current_database() AS name');
    await database.admin.query(`ALTER DATABASE ${rows[0].name} SET synchronous_commit = off`);
    const config = configFor(database.url);
    await expect(createContext(config, 'api', createLog(config, 'api'))).rejects.toThrow(
      /synchronous_commit=off/,
    );
    await database.admin.query(`ALTER DATABASE ${rows[0].name} RESET synchronous_commit`);
  });

  test('is rejected in production when a test has moved its clock', async () => {
    await database.admin.query('INSERT INTO clock_offset (offset_ms) VALUES (1000)');
    const config = configFor(database.url, {
      TRIBUTARY_ENV: 'production',
      TEST_CLOCK: 'false',
      PUBLIC_URL: 'https://health.example.com',
      ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`,
    });
    await expect(createContext(config, 'api', createLog(config, 'api'))).rejects.toThrow(/clock_offset/);
    await database.admin.query('DELETE FROM clock_offset');
  });
});

describe('privileges of the service', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  test('row-level security is forced on every table with a tenant or a user', async () => {
    const { rows } = await database.admin.query(`
      SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity AS walled FROM pg_class c
      WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND EXISTS (
        SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname IN ('account_id', 'user_id') AND NOT a.attisdropped)`);
    expect(rows.length).toBeGreaterThanOrEqual(6);
    expect(rows.filter((row) => !row.walled)).toEqual([]);
  });

  test('its roles own nothing and cannot bypass row-level security', async () => {
    const { rows } = await database.admin.query(`
      SELECT rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole,
        EXISTS (SELECT FROM pg_class c WHERE c.relowner = r.oid) AS owns
      FROM pg_roles r WHERE rolname IN ('tributary_service', 'tributary_operator')`);
    expect(rows).toHaveLength(2);
    for (const { rolname: _name, ...rights } of rows)
      expect(Object.values(rights)).toEqual([false, false, false, false, false]);
  });

  test('a service connection sees nothing until its transaction sets the tenant', async () => {
    const config = configFor(database.url);
    await using ctx = await createContext(config, 'api', createLog(config, 'api'));
    await database.admin.query(`INSERT INTO accounts (id, name) VALUES (gen_random_uuid(), 'x')`);
    for (const table of [
      'accounts',
      'api_keys',
      'users',
      'user_counts',
      'mobile_tokens',
      'devices',
      'pending_batches',
    ]) {
      expect((await ctx.db.query(`SELECT FROM ${table}`)).rowCount).toBe(0);
    }
    await expect(ctx.db.query('ALTER TABLE users DISABLE ROW LEVEL SECURITY')).rejects.toThrow(
      /must be owner/,
    );
    await expect(ctx.db.query('INSERT INTO clock_offset VALUES (true, 5)')).rejects.toThrow(
      /permission denied/,
    );
  });
});
