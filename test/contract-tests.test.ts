import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { collectTests, contractProblems, namedTests } from '../scripts/docs/contract-tests.ts';

const table = (...rows: string[]) =>
  ['# Contract', '', '| sentence | test |', '| --- | --- |', ...rows].join('\n');
const existing = new Set(['a/x.test.ts › pages › newest first', 'a/x.test.ts › 400 › ?limit=0']);

test('names are found with their line, also several in one row', () => {
  const row = '| Newest first | `a/x.test.ts › pages › newest first`, `b/y.int.test.ts › z` |';
  expect(namedTests(table(row))).toEqual([
    { line: 5, file: 'a/x.test.ts', title: 'pages › newest first' },
    { line: 5, file: 'b/y.int.test.ts', title: 'z' },
  ]);
});

test('a document whose tests all exist has no problem', () => {
  const rows = [
    '| Newest | `a/x.test.ts › pages › newest first` |',
    '| Limit | `a/x.test.ts › 400 › ?limit=0` |',
  ];
  expect(contractProblems(table(...rows), existing)).toEqual([]);
});

test.each([
  ['whose title changed', 'a/x.test.ts › pages › oldest first'],
  ['whose row is gone', 'a/x.test.ts › 400 › ?limit=-1'],
  ['that moved to another describe', 'a/x.test.ts › newest first'],
  ['whose file is gone', 'a/gone.test.ts › pages › newest first'],
])('a test %s is a problem', (_what, name) => {
  expect(contractProblems(table(`| Newest | \`${name}\` |`), existing)).toEqual([
    `line 5 names the test ${name}, which does not exist`,
  ]);
});

test('a sentence without a test is a problem', () => {
  expect(contractProblems(table('| Nobody holds this | none |'), existing)).toEqual([
    'line 5 names no test: | Nobody holds this | none |',
  ]);
});

test('tests are collected with the titles that they run under, rows of tables too', async () => {
  const root = await mkdtemp(join(tmpdir(), 'tributary-collect-'));
  try {
    await mkdir(join(root, 'packages/a'), { recursive: true });
    await symlink(resolve(import.meta.dirname, '../node_modules'), join(root, 'node_modules'));
    await writeFile(
      join(root, 'packages/a/x.test.ts'),
      `import { describe, test } from 'vitest';
       describe.each(['sleep', 'workouts'])('pages of %s', () => {
         test.each([['?limit=0', 1]])('%s is refused', () => { throw new Error('never run'); });
       });`,
    );
    expect(await collectTests(root, ['a/x.test.ts'])).toEqual(
      new Set([
        'a/x.test.ts › pages of sleep › ?limit=0 is refused',
        'a/x.test.ts › pages of workouts › ?limit=0 is refused',
      ]),
    );
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}, 60_000);
