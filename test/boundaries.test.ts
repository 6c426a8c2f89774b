import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The rules of who may import whom are only worth something if breaking them fails. Each row plants a violation and lints it. */
const run = promisify(execFile);
const root = resolve(import.meta.dirname, '..');
let tree: string;

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'tributary-boundaries-'));
  await cp(join(root, '.oxlintrc.json'), join(tree, '.oxlintrc.json'));
  await writeFile(
    join(tree, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        module: 'nodenext',
        noEmit: true,
        allowImportingTsExtensions: true,
        types: [],
      },
    }),
  );
});
afterAll(() => rm(tree, { recursive: true, force: true }));

const server = 'packages/server/src';
const violations: [file: string, source: string, rule: string][] = [
  [`${server}/store/planted.ts`, `import '../services/users/get-user.ts';`, 'no-restricted-imports'],
  [`${server}/store/planted.ts`, `import '../stream/broker.ts';`, 'no-restricted-imports'],
  [`${server}/store/planted.ts`, `import '../http/app.ts';`, 'no-restricted-imports'],
  [`${server}/stream/planted.ts`, `import '../store/users.ts';`, 'no-restricted-imports'],
  [`${server}/services/users/planted.ts`, `import '../../http/wire.ts';`, 'no-restricted-imports'],
  [`${server}/services/users/planted.ts`, `import '../../jobs/boss.ts';`, 'no-restricted-imports'],
  [`${server}/http/planted.ts`, `import '../jobs/boss.ts';`, 'no-restricted-imports'],
  [`${server}/http/routes/planted.ts`, `import '../../ingest/run-ingest.ts';`, 'no-restricted-imports'],
  [`${server}/jobs/planted.ts`, `import '../http/app.ts';`, 'no-restricted-imports'],
  [`${server}/ingest/planted.ts`, `import '../cli/program.ts';`, 'no-restricted-imports'],
  [`${server}/cli/planted.ts`, `import '../http/app.ts';`, 'no-restricted-imports'],
  [`${server}/credentials/planted.ts`, `import '../services/users/get-user.ts';`, 'no-restricted-imports'],
  [`${server}/limiter/planted.ts`, `import '../http/app.ts';`, 'no-restricted-imports'],
  [`${server}/mail/planted.ts`, `import '../services/mails/send-mail.ts';`, 'no-restricted-imports'],
  [`${server}/outbound/planted.ts`, `import '../services/users/get-user.ts';`, 'no-restricted-imports'],
  [
    `${server}/services/users/planted.ts`,
    `export const answer = await fetch('https://example.com/');`,
    'no-restricted-globals',
  ],
  ['packages/domain/src/planted.ts', `import '@tributary/server';`, 'no-restricted-imports'],
  ['packages/domain/src/planted.ts', `import 'node:fs';`, 'no-restricted-imports'],
  ['packages/domain/src/planted.ts', 'export const at = Date.now();', 'no-restricted-properties'],
  ['packages/domain/src/planted.ts', 'export const dice = Math.random();', 'no-restricted-properties'],
  ['packages/contract/src/planted.ts', `import '@tributary/domain';`, 'no-restricted-imports'],
  ['packages/stack/src/planted.ts', `import '@tributary/server';`, 'no-restricted-imports'],
  ['packages/lab/src/planted.ts', `import '@tributary/domain';`, 'no-restricted-imports'],
  ['packages/providers/src/planted.ts', `import '@tributary/lab';`, 'no-restricted-imports'],
  ['packages/providers/src/planted.ts', `import '@tributary/server';`, 'no-restricted-imports'],
  ['packages/providers/src/planted.ts', `export const at = Date.now();`, 'no-restricted-properties'],
  [
    'packages/providers/src/planted.ts',
    `export const answer = await fetch('https://example.com/');`,
    'no-restricted-globals',
  ],
  [`${server}/services/users/planted.ts`, 'export const secret = process.env;', 'no-process-env'],
  [
    `${server}/services/users/planted.ts`,
    'export async function f() {}\nexport function g() { f(); }',
    'no-floating-promises',
  ],
  [`${server}/services/users/planted.ts`, 'export default 1;', 'no-default-export'],
];

test.each(violations)('%s: %s breaks %s', async (file, source, rule) => {
  expect(await lint({ [file]: source })).toContain(rule);
});

test('a cycle breaks no-cycle', async () => {
  const found = await lint({
    [`${server}/services/a.ts`]: `import { b } from './b.ts';\nexport const a = () => b;`,
    [`${server}/services/b.ts`]: `import { a } from './a.ts';\nexport const b = () => a;`,
  });
  expect(found).toContain('no-cycle');
});

test('arrows that point down break nothing', async () => {
  const found = await lint({
    [`${server}/http/routes/planted.ts`]: `import '../../services/planted.ts';`,
    [`${server}/services/planted.ts`]: `import '../store/planted.ts';\nimport '../stream/planted.ts';`,
    [`${server}/store/planted.ts`]: `import '@tributary/domain';`,
    [`${server}/stream/planted.ts`]: 'export const planted = 1;',
    'packages/domain/src/planted.ts': `import '@tributary/contract';`,
  });
  expect(found).toBe('');
});

/** What the linter finds in a tree of these files; empty when it finds nothing. */
async function lint(files: Record<string, string>): Promise<string> {
  await rm(join(tree, 'packages'), { recursive: true, force: true });
  for (const [file, source] of Object.entries(files)) {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await writeFile(join(tree, file), `${source}\n`);
  }
  const oxlint = join(root, 'node_modules/.bin/oxlint');
  try {
    await run(oxlint, ['--format=unix', '--disable-nested-config', '.'], { cwd: tree });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
