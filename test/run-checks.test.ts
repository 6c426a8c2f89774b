import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runChecks, type Check } from '../scripts/verify/run-checks.ts';

const node = (name: string, code: string): Check => ({ name, command: [process.execPath, '-e', code] });

test('prints the time of every check, and the output of those that fail', async () => {
  const printed: string[] = [];
  const checks = [
    node('good', 'console.log("fine")'),
    node('bad', 'console.log("seen"); console.error("why"); process.exitCode = 3'),
    { name: 'missing', command: ['no-such-program'] } satisfies Check,
  ];
  expect(await runChecks(checks, 1, (text) => printed.push(text))).toEqual(['bad', 'missing']);
  expect(printed).toEqual([
    expect.stringMatching(/^✓ good \(\d+\.\d s\)$/),
    expect.stringMatching(/^✗ bad \(\d+\.\d s\)\nseen\nwhy$/),
    expect.stringMatching(/^✗ missing \(\d+\.\d s\)\nspawn no-such-program ENOENT$/),
  ]);
});

/** Runs code in a check with access to `fs` and the path of a folder. */
async function inFolder(
  body: (check: (name: string, code: string) => Check, folder: string) => Promise<void>,
) {
  const folder = await mkdtemp(join(tmpdir(), 'checks-'));
  const head = `const fs = require('node:fs'); process.chdir(${JSON.stringify(folder)});`;
  try {
    await body((name, code) => node(name, head + code), folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('runs checks in parallel', () =>
  inFolder(async (check) => {
    // Each passes only after it sees the other.
    const meet = (own: string, other: string) =>
      `fs.writeFileSync('${own}', ''); setInterval(() => fs.existsSync('${other}') && process.exit(0), 20);`;
    const checks = [check('one', meet('a', 'b')), check('other', meet('b', 'a'))];
    expect(await runChecks(checks, 2, () => {})).toEqual([]);
  }));

test('runs at most the allowed number of checks at a time', () =>
  inFolder(async (check, folder) => {
    // Each counts the running checks, including itself.
    const count = `fs.mkdirSync('running/' + process.pid, { recursive: true });
      setTimeout(() => {
        fs.writeFileSync(process.pid + '.seen', String(fs.readdirSync('running').length));
        fs.rmdirSync('running/' + process.pid);
      }, 100);`;
    const checks = Array.from({ length: 5 }, (_, at) => check(`check ${at}`, count));
    expect(await runChecks(checks, 2, () => {})).toEqual([]);
    const files = (await readdir(folder)).filter((file) => file.endsWith('.seen'));
    const seen = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    expect(seen).toHaveLength(5);
    expect(Math.max(...seen.map(Number))).toBeLessThanOrEqual(2);
  }));
