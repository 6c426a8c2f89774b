import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { lintMigration } from './lint-migration.ts';

const folder = new URL('../../store/database/migrations/', import.meta.url);
/** Migrations up to this one were written before the rules, and are applied. */
const lastBefore = '0020';

test('migrations can run while the previous release serves requests', async () => {
  const names = (await readdir(folder)).filter((name) => name.slice(0, 4) > lastBefore);
  const problems = await Promise.all(
    names.map(async (name) =>
      (await lintMigration(await readFile(new URL(name, folder), 'utf8'))).map((one) => ({ name, ...one })),
    ),
  );
  expect(problems.flat()).toEqual([]);
});

test('rejects what an earlier migration did in one transaction', async () => {
  const sql = await readFile(new URL('0013-dashboard.sql', folder), 'utf8');
  const problems = await lintMigration(sql);
  expect(problems.map(({ statement }) => statement)).toEqual(
    expect.arrayContaining([
      expect.stringContaining('UPDATE users u SET device_count'),
      expect.stringContaining('CREATE INDEX users_by_reference_start'),
    ]),
  );
});

const safe = [
  'ALTER TABLE users ADD COLUMN note text',
  'ALTER TABLE users ADD COLUMN count integer NOT NULL DEFAULT 0',
  "ALTER TABLE users ADD COLUMN tags text[] NOT NULL DEFAULT '{}'::text[]",
  'ALTER TABLE users ADD CONSTRAINT positive CHECK (count > 0) NOT VALID',
  'CREATE TABLE fresh (id uuid PRIMARY KEY REFERENCES users); CREATE INDEX fresh_id ON fresh (id); UPDATE fresh SET id = id; DROP TABLE fresh',
  "INSERT INTO settings (name) VALUES ('x')",
  '-- Outside a transaction.\nCREATE INDEX CONCURRENTLY IF NOT EXISTS i ON users (note)',
  '-- Outside a transaction.\nALTER TABLE users VALIDATE CONSTRAINT positive',
  '-- Accepted for pending: it holds a minute of uploads.\nCREATE INDEX i ON pending (id)',
  'CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE users SET note = 1 $$',
];
test.each(safe)('accepts %s', async (sql) => {
  expect(await lintMigration(sql)).toEqual([]);
});

const unsafe = [
  ['ALTER TABLE users ADD COLUMN count integer NOT NULL', 'give it a default'],
  ['ALTER TABLE users ADD COLUMN at timestamptz NOT NULL DEFAULT now()', 'use a constant'],
  ['ALTER TABLE users ADD COLUMN id2 uuid DEFAULT gen_random_uuid()', 'use a constant'],
  ['ALTER TABLE users ADD COLUMN at timestamptz DEFAULT CURRENT_TIMESTAMP', 'use a constant'],
  ['ALTER TABLE users ADD COLUMN n int GENERATED ALWAYS AS (1) STORED', 'rewrites the table'],
  ['ALTER TABLE users ADD COLUMN n int UNIQUE', 'NOT VALID'],
  ['ALTER TABLE users ADD COLUMN n int REFERENCES accounts', 'NOT VALID'],
  ['ALTER TABLE users ALTER COLUMN note TYPE varchar(10)', 'rewrites the table'],
  ['ALTER TABLE users ALTER COLUMN note SET NOT NULL', 'NOT VALID'],
  ['ALTER TABLE users ADD CONSTRAINT c CHECK (count > 0)', 'NOT VALID'],
  ['ALTER TABLE users VALIDATE CONSTRAINT c', 'starts with'],
  ['ALTER TABLE users DROP COLUMN note', 'in the release after'],
  ['ALTER TABLE users RENAME COLUMN note TO text', 'drop the old one in a later release'],
  ['ALTER TABLE users RENAME TO people', 'drop the old one in a later release'],
  ['DROP TABLE users', 'in the release after'],
  ['DROP INDEX users_pkey', 'in the release after'],
  ['CREATE INDEX i ON users (note)', 'CONCURRENTLY'],
  ['CREATE INDEX CONCURRENTLY i ON users (note)', 'of its own'],
  ['-- Outside a transaction.\nCREATE INDEX CONCURRENTLY i ON users (note)', 'IF NOT EXISTS'],
  ['-- Outside a transaction.\nUPDATE users SET note = 1', 'outside a transaction'],
  ['UPDATE users SET note = 1', 'in a job, in batches'],
  ['DELETE FROM users', 'in a job, in batches'],
  ['INSERT INTO fresh SELECT id FROM users', 'in a job, in batches'],
  ['DO $$ BEGIN UPDATE users SET note = 1; END $$', 'move it out'],
  ['LOCK TABLE users', 'locks a table'],
  ['TRUNCATE users', 'locks a table'],
  ['REINDEX TABLE users', 'locks a table'],
  ['VACUUM FULL users', 'must not run'],
  ['-- Accepted for users\nUPDATE users SET note = 1', 'in a job, in batches'],
] as const;
test.each(unsafe)('rejects %s', async (sql, reason) => {
  const problems = await lintMigration(sql);
  expect(problems.map(({ problem }) => problem).join()).toContain(reason);
});
