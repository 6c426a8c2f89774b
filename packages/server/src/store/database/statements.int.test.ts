import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { checkStatements, type StatementReport } from '../../test/statements/check-statements.ts';
import { exceptions } from '../../test/statements/exceptions.ts';
import { openSource, repository } from '../../test/statements/open-source.ts';
import { openPool } from './database.ts';

const resources = new AsyncDisposableStack();
let check: (folder: string, root: string, excepted: Record<string, string>) => Promise<StatementReport>;

beforeAll(async () => {
  const { databaseUrl } = inject('engines');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  resources.defer(() => client.end());
  const pool = openPool({
    url: databaseUrl,
    role: 'service',
    max: 1,
    statementTimeoutMs: 5_000,
    applicationName: 'tributary-statements',
  });
  resources.defer(() => pool.end());
  check = async (folder, root, excepted) => {
    using source = openSource(folder, root);
    return await checkStatements(source, client, (oid) => pool.options.types!.getTypeParser(oid), excepted);
  };
});
afterAll(() => resources.disposeAsync());

test('prepares every statement and compares its columns with its row type', async () => {
  const { problems, statementCount, prepared, compared } = await check(
    'packages/server/src',
    repository,
    exceptions,
  );
  expect(problems).toEqual([]);
  // Detects a change of style that hides statements from this test.
  expect(statementCount).toBeGreaterThan(380);
  expect(prepared).toBeGreaterThan(500);
  expect(compared).toBeGreaterThan(200);
});

test('reports every fault with its file and line', async () => {
  const root = `${realpathSync(mkdtempSync(join(tmpdir(), 'tributary-statements-')))}/`;
  try {
    mkdirSync(`${root}src`);
    writeFileSync(`${root}src/store.ts`, planted);
    const { problems } = await check('src', root, { 'src/store.ts gone': 'it was removed' });
    expect(problems).toEqual([
      'src/store.ts:3 field attempts is string, but the column is number (int2)',
      'src/store.ts:4 column "atempts" does not exist, in: SELECT atempts FROM dead_letters',
      'src/store.ts:5 field reason is missing from the result',
      'src/store.ts:6 column reason (text) is no field of the row type',
      'src/store.ts:7 field kind is never null, but the column can be',
      'src/store.ts:8 field reason may be null, but the column is NOT NULL',
      'src/store.ts:9 field at is Date, but the column is string (timestamptz)',
      'src/store.ts:10 rows are used that have no type',
      'src/store.ts:11 the source does not show what it runs or returns; resolve it, or name "src/store.ts dynamic" in exceptions.ts',
      'exceptions.ts names "src/store.ts gone", which needs no exception',
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

const planted = `interface Db { query<Row>(query: { text: string; values?: unknown[] }): Promise<{ rows: Row[] }> }
export const good = (db: Db) => db.query<{ attempts: number; at: string }>({ text: 'SELECT attempts, failed_at AS at FROM dead_letters' });
export const type = (db: Db) => db.query<{ attempts: string }>({ text: 'SELECT attempts FROM dead_letters' });
export const spelling = (db: Db) => db.query<{ atempts: number }>({ text: 'SELECT atempts FROM dead_letters' });
export const missing = (db: Db) => db.query<{ attempts: number; reason: string }>({ text: 'SELECT attempts FROM dead_letters' });
export const extra = (db: Db) => db.query<{ attempts: number }>({ text: 'SELECT attempts, reason FROM dead_letters' });
export const nullable = (db: Db) => db.query<{ kind: string }>({ text: 'SELECT kind FROM raw_batches' });
export const never = (db: Db) => db.query<{ reason: string | null }>({ text: 'SELECT reason FROM dead_letters' });
export const parser = (db: Db) => db.query<{ at: Date }>({ text: 'SELECT failed_at AS at FROM dead_letters' });
export const untyped = async (db: Db) => (await db.query({ text: 'SELECT reason FROM dead_letters' })).rows;
export const dynamic = (db: Db) => db.query<{ n: number }>({ text: process.argv.join() });
`;
