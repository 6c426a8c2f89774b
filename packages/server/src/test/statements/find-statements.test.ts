import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findStatements, type StatementUse } from './find-statements.ts';
import { openSource } from './open-source.ts';

/** The statements of a program of one or more files. */
function find(files: Record<string, string>): StatementUse[] {
  const root = `${realpathSync(mkdtempSync(join(tmpdir(), 'tributary-statements-')))}/`;
  try {
    mkdirSync(`${root}src`);
    for (const [name, text] of Object.entries(files)) writeFileSync(`${root}src/${name}`, text);
    using source = openSource('src', root);
    return findStatements(source);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const database = `export interface Db { query<Row>(query: { text: string; values?: unknown[] } | string): Promise<{ rows: Row[] }> }`;
const kindsOf = ({ row }: StatementUse) =>
  row && Object.fromEntries([...row].map(([name, { kinds }]) => [name, [...kinds].toSorted().join(' | ')]));

test('resolves constants, functions, choices and imports, and gives a variable one value throughout', () => {
  const statements = find({
    'database.ts': database,
    'columns.ts': `export const ms = (column: string) => \`epoch(\${column})\`; export const most = 5;`,
    'store.ts': `
import type { Db } from './database.ts';
import { most, ms } from './columns.ts';
const tables = { sleep: 'nights', workouts: 'sessions' } as const;
const columns = \`id, \${ms('at')} AS at\`;
export async function list(db: Db, kind: keyof typeof tables, isNew: boolean) {
  const table = tables[kind];
  await db.query({ text: \`SELECT \${columns} FROM \${table} WHERE \${table}.id > \${isNew ? 1 : 2} LIMIT \${most}\` });
  for (const name of ['a', 'b']) await db.query('DELETE FROM ' + name);
}`,
  });
  expect(statements.map(({ at, texts }) => ({ at, texts }))).toEqual([
    {
      at: 'src/store.ts:8',
      texts: [
        'SELECT id, epoch(at) AS at FROM nights WHERE nights.id > 1 LIMIT 5',
        'SELECT id, epoch(at) AS at FROM nights WHERE nights.id > 2 LIMIT 5',
        'SELECT id, epoch(at) AS at FROM sessions WHERE sessions.id > 1 LIMIT 5',
        'SELECT id, epoch(at) AS at FROM sessions WHERE sessions.id > 2 LIMIT 5',
      ],
    },
    { at: 'src/store.ts:9', texts: ['DELETE FROM a', 'DELETE FROM b'] },
  ]);
});

test('resolves a text and a row type through callers', () => {
  const statements = find({
    'database.ts': database,
    'read.ts': `
import type { Db } from './database.ts';
export async function read<Row>(db: Db, text: string): Promise<Row[]> {
  return (await db.query<Row & object>({ text: \`BEGIN; \${text}\` })).rows;
}`,
    'store.ts': `
import type { Db } from './database.ts';
import { read } from './read.ts';
interface Row { id: string; at: Date | null; data: Buffer; tags: (string | null)[]; content?: { a: number }; state: 'on' | 'off'; count: number }
export const one = (db: Db) => read<Omit<Row, 'count'>>(db, 'SELECT 1');
export const other = (db: Db) => read<{ n: bigint | boolean }>(db, 'SELECT 2');`,
  });
  expect(statements.map(({ at, texts }) => ({ at, texts }))).toEqual([
    { at: 'src/store.ts:5', texts: ['BEGIN; SELECT 1'] },
    { at: 'src/store.ts:6', texts: ['BEGIN; SELECT 2'] },
  ]);
  expect(kindsOf(statements[0]!)).toEqual({
    id: 'string',
    at: 'Date | null',
    data: 'Buffer',
    tags: 'array of string',
    content: 'json',
    state: 'string',
  });
  expect(statements[0]!.row!.get('content')!.isOptional).toBe(true);
});

test('leaves a text unknown that is only known at run time, and detects rows that are read', () => {
  const [unknown, grown, prologue] = find({
    'store.ts': `${database}
export async function run(db: Db, text: string) { const { rows } = await db.query({ text }); return rows; }
export async function grow(db: Db, since: string | null) {
  const conditions = ['true'];
  if (since) conditions.push('at > $1');
  await db.query({ text: \`SELECT 1 WHERE \${conditions.join(' AND ')}\` });
}
export const begin = { text: 'SELECT 3', values: [] };`,
  });
  expect(unknown).toMatchObject({ place: 'src/store.ts run', texts: null, usesRows: true });
  expect(grown).toMatchObject({ place: 'src/store.ts grow', texts: null, usesRows: false });
  expect(prologue).toMatchObject({ at: 'src/store.ts:8', texts: ['SELECT 3'] });
});
