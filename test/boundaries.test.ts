import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';

/** Import rules are only useful if breaking them fails. Each row is a violation in its own file, and one run of the linter checks all. */
const run = promisify(execFile);
const root = resolve(import.meta.dirname, '..');

const server = 'packages/server/src';
const violations: [folder: string, source: string, rule: string][] = [
  [`${server}/store`, `import '../services/users/get-user.ts';`, 'no-restricted-imports'],
  [`${server}/store`, `import '../stream/broker.ts';`, 'no-restricted-imports'],
  [`${server}/store`, `import '../http/app.ts';`, 'no-restricted-imports'],
  [`${server}/stream`, `import '../store/users.ts';`, 'no-restricted-imports'],
  [`${server}/services/users`, `import '../../http/wire.ts';`, 'no-restricted-imports'],
  [`${server}/services/users`, `import '../../jobs/boss.ts';`, 'no-restricted-imports'],
  [`${server}/http`, `import '../jobs/boss.ts';`, 'no-restricted-imports'],
  [`${server}/http/routes`, `import '../../ingest/run-ingest.ts';`, 'no-restricted-imports'],
  [`${server}/http/dashboard`, `import '../../store/users/users.ts';`, 'no-restricted-imports'],
  [`${server}/http/dashboard`, `import '../../jobs/boss.ts';`, 'no-restricted-imports'],
  [`${server}/jobs`, `import '../http/app.ts';`, 'no-restricted-imports'],
  [`${server}/ingest`, `import '../cli/program.ts';`, 'no-restricted-imports'],
  [`${server}/cli`, `import '../http/app.ts';`, 'no-restricted-imports'],
  [`${server}/credentials`, `import '../services/users/get-user.ts';`, 'no-restricted-imports'],
  [`${server}/limiter`, `import '../http/app.ts';`, 'no-restricted-imports'],
  [`${server}/mail`, `import '../services/mails/send-mail.ts';`, 'no-restricted-imports'],
  [`${server}/queue`, `import '../services/users/get-user.ts';`, 'no-restricted-imports'],
  [`${server}/outbound`, `import '../services/users/get-user.ts';`, 'no-restricted-imports'],
  [
    `${server}/services/users`,
    `export const response = await fetch('https://example.com/');`,
    'no-restricted-globals',
  ],
  ['packages/domain/src', `import '@tributary/server';`, 'no-restricted-imports'],
  ['packages/domain/src', `import 'node:fs';`, 'no-restricted-imports'],
  ['packages/domain/src', 'export const at = Date.now();', 'no-restricted-properties'],
  ['packages/domain/src', 'export const dice = Math.random();', 'no-restricted-properties'],
  ['packages/contract/src', `import '@tributary/domain';`, 'no-restricted-imports'],
  ['packages/client/src', `import '@tributary/contract';`, 'no-restricted-imports'],
  ['packages/client/src', `import 'node:fs';`, 'no-restricted-imports'],
  ['packages/stack/src', `import '@tributary/server';`, 'no-restricted-imports'],
  ['packages/lab/src', `import '@tributary/domain';`, 'no-restricted-imports'],
  ['chaos/feed', `import '../../packages/server/src/ids.ts';`, 'no-restricted-imports'],
  ['chaos/feed', `import '../../bench/frame.ts';`, 'no-restricted-imports'],
  ['bench/reads', `import '../../packages/server/src/ids.ts';`, 'no-restricted-imports'],
  ['bench/reads', `import '../../chaos/feed/run.ts';`, 'no-restricted-imports'],
  ['scripts/fuzz', `import '../../packages/server/src/ids.ts';`, 'no-restricted-imports'],
  ['packages/providers/src', `import '@tributary/lab';`, 'no-restricted-imports'],
  ['packages/providers/src', `import '@tributary/server';`, 'no-restricted-imports'],
  ['packages/providers/src', `export const at = Date.now();`, 'no-restricted-properties'],
  [
    'packages/providers/src',
    `export const response = await fetch('https://example.com/');`,
    'no-restricted-globals',
  ],
  [`${server}/services/users`, 'export const secret = process.env;', 'no-process-env'],
  [
    `${server}/services/users`,
    'export async function f() {}\nexport function g() { f(); }',
    'no-floating-promises',
  ],
  [`${server}/services/users`, 'export default 1;', 'no-default-export'],
];

const fileOf = (at: number): string => `${violations[at]![0]}/violation-${at}.ts`;

const cycle = {
  [`${server}/services/a.ts`]: `import { b } from './b.ts';\nexport const a = () => b;`,
  [`${server}/services/b.ts`]: `import { a } from './a.ts';\nexport const b = () => a;`,
};
const allowed = {
  [`${server}/http/routes/allowed.ts`]: `import '../../services/allowed.ts';`,
  [`${server}/http/dashboard/allowed.ts`]: `import type { allowed } from '../../store/allowed.ts';\nexport type Allowed = typeof allowed;`,
  [`${server}/services/allowed.ts`]: `import '../store/allowed.ts';\nimport '../stream/allowed.ts';`,
  [`${server}/store/allowed.ts`]: `import '@tributary/domain';\nexport const allowed = 1;`,
  [`${server}/stream/allowed.ts`]: 'export const allowed = 1;',
  'packages/domain/src/allowed.ts': `import '@tributary/contract';`,
};

/** The linter's messages, one per line. */
let messages: string[];
beforeAll(async () => {
  const planted = Object.fromEntries(violations.map(([, source], at) => [fileOf(at), source]));
  messages = await lint({ ...planted, ...cycle, ...allowed });
}, 60_000);

test.each(violations.map((violation, at) => [...violation, fileOf(at)] as const))(
  'in %s, flags %s with %s',
  (_folder, _source, rule, file) => {
    expect(messages.filter((line) => line.includes(file)).join('\n')).toContain(rule);
  },
);

test('rejects an import cycle with no-cycle', () => {
  expect(messages.filter((line) => /services\/[ab]\.ts/.test(line)).join('\n')).toContain('no-cycle');
});

test('accepts imports of lower layers', () => {
  expect(messages.filter((line) => line.includes('/allowed.ts'))).toEqual([]);
});

/** Returns the linter's messages for a tree of these files, one per line. */
async function lint(files: Record<string, string>): Promise<string[]> {
  const tree = await mkdtemp(join(tmpdir(), 'tributary-boundaries-'));
  try {
    await cp(join(root, '.oxlintrc.json'), join(tree, '.oxlintrc.json'));
    const compilerOptions = {
      strict: true,
      module: 'nodenext',
      noEmit: true,
      allowImportingTsExtensions: true,
      types: [],
    };
    await writeFile(join(tree, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    for (const [file, source] of Object.entries(files)) {
      await mkdir(dirname(join(tree, file)), { recursive: true });
      await writeFile(join(tree, file), `${source}\n`);
    }
    const oxlint = join(root, 'node_modules/.bin/oxlint');
    await run(oxlint, ['--format=unix', '--disable-nested-config', '.'], { cwd: tree });
    return [];
  } catch (error) {
    return (error as { stdout: string }).stdout.split('\n');
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}
