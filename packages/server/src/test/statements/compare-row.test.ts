import { expect, test } from 'vitest';
import { compareRows, type Column } from './compare-row.ts';
import type { Fields } from './row-type.ts';

const column = (name: string, kind: string, isNullable: boolean | null = null): Column => ({
  name,
  type: 'sql',
  kind,
  isNullable,
});
const fields = (types: Record<string, string>): Fields =>
  new Map(
    Object.entries(types).map(([name, type]) => [
      name.replace('?', ''),
      { kinds: new Set(type.split(' | ')), isOptional: name.endsWith('?') },
    ]),
  );
const compare = (columns: Column[], types: Record<string, string>) => compareRows([columns], fields(types));

test('accepts a row that matches its type', () => {
  const columns = [column('id', 'string', false), column('at', 'string', true), column('data', 'json')];
  expect(
    compare(columns, { id: 'string', at: 'string | null', data: 'json | null', 'more?': 'number' }),
  ).toEqual([]);
});

test.each([
  ['a missing column', [], { id: 'string' }, 'field id is missing from the result'],
  ['an extra column', [column('id', 'string')], {}, 'column id (sql) is no field of the row type'],
  [
    'a wrong type',
    [column('id', 'string')],
    { id: 'number' },
    'field id is number, but the column is string (sql)',
  ],
  [
    'a wrong element type',
    [column('id', 'array of string')],
    { id: 'array of number' },
    'field id is array of number, but the column is array of string (sql)',
  ],
  [
    'a buffer for JSON',
    [column('id', 'json')],
    { id: 'Buffer' },
    'field id is Buffer, but the column is json (sql)',
  ],
  [
    'undefined, which columns never are',
    [column('id', 'string')],
    { id: 'string | undefined' },
    'field id is string or undefined, but the column is string (sql)',
  ],
  [
    'an undeclared null',
    [column('id', 'string', true)],
    { id: 'string' },
    'field id is never null, but the column can be',
  ],
  [
    'an unnecessary null',
    [column('id', 'string', false)],
    { id: 'string | null' },
    'field id may be null, but the column is NOT NULL',
  ],
])('reports %s', (_, columns, types, problem) => {
  expect(compare(columns, types as Record<string, string>)).toEqual([problem]);
});

test('allows a null field when one text of a statement can return null', () => {
  const results = [[column('id', 'string', false)], [column('id', 'string', null)]];
  expect(compareRows(results, fields({ id: 'string | null' }))).toEqual([]);
});
