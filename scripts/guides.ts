import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { startStack } from '@tributary/stack';
import { findProblems, refreshGuide } from './guides/check-guide.ts';
import { guides, runGuideOn } from './guides/guides.ts';

/** Runs the guides' commands on a private stack and compares the responses in them with the actual ones. `--write` inserts those. */
const root = resolve(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
let problems = 0;

await using stack = await startStack({ ephemeral: true });
for (const path of positionals.length > 0 ? positionals : guides) {
  const { text, steps, ran } = await runGuideOn(stack, root, path);
  const guideProblems = findProblems(steps, ran);
  if (values.write && ran.failure === null) {
    await writeFile(join(root, path), refreshGuide(text, ran, Date.now()));
    await promisify(execFile)('npx', ['oxfmt', path], { cwd: root });
    console.log(`${path}: updated ${guideProblems.length} of ${steps.length} steps`);
    continue;
  }
  for (const problem of guideProblems) console.error(`✗ ${path}, ${problem}`);
  console.log(`${path}: ${steps.length - guideProblems.length} of ${steps.length} steps are correct`);
  problems += guideProblems.length;
}
process.exitCode = problems === 0 ? 0 : 1;
