import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startStack, type Stack } from '@tributary/stack';
import { findQuoteProblems } from './docs/quotes.ts';
import { findProblems } from './guides/check-guide.ts';
import { adaptTo, guides, runGuideOn } from './guides/guides.ts';

/** Checks that what the documents name exists and what they quote is so, that the commands of README and guides work as written, and that shown answers are true. */
const root = resolve(import.meta.dirname, '..');
const run = promisify(execFile);
const problems: string[] = [];

const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const documents = await Array.fromAsync(glob(['*.md', 'docs/**/*.md'], { cwd: root }));
for (const document of documents) {
  const text = await readFile(join(root, document), 'utf8');
  for (const path of pathsIn(text, document))
    if (!existsSync(join(root, path))) problems.push(`${document} names ${path}, which does not exist`);
  problems.push(...(await findQuoteProblems(root, document, text)));
  for (const [, name] of text.matchAll(/npm run (\w[\w:-]*\w)/g)) {
    if (!Object.hasOwn(scripts, name ?? ''))
      problems.push(`${document} names \`npm run ${name}\`, which package.json does not have`);
  }
}
console.error(`${documents.length} documents read`);

if (!process.argv.includes('--paths-only')) {
  await using stack = await startStack({ ephemeral: true });
  await runReadme(stack);
  await runGuides(stack);
}

for (const problem of problems) console.error(`✗ ${problem}`);
console.log(problems.length === 0 ? 'The documents hold.' : `${problems.length} problems in the documents.`);
process.exit(problems.length === 0 ? 0 : 1);

/** Links to files, and code spans that look like paths of the tree. */
function* pathsIn(text: string, document: string): Generator<string> {
  for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g))
    yield join(dirname(document), target!);
  for (const [, target] of text.matchAll(/^\[[^\]]+\]: (?!https?:|#)([^#\s]+)/gm))
    yield join(dirname(document), target!);
  for (const [, span] of text.matchAll(/`((?:packages|docs|bench|chaos|scripts|test)\/[\w./-]+)`/g))
    yield span!;
}

/** Runs the README's blocks in order. */
async function runReadme(stack: Stack): Promise<void> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!);
  const requests = blocks.find((block) => block.includes('curl'));
  if (!requests) return void problems.push('README.md has no curl commands');
  const start = blocks.find((block) => block.includes('npm run stack'));
  if (!start?.includes('npm ci')) problems.push('README.md does not say how to start');

  // Each request also has to succeed.
  const script = adaptTo(stack)(requests).replaceAll('curl -s ', 'curl -s --fail-with-body ');
  const expected = /The last one answers `(.+?)`/.exec(readme)?.[1];
  try {
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: root });
    if (!expected || !stdout.trimEnd().endsWith(expected))
      problems.push(`README.md promises ${expected} at the end; it was:\n${stdout}`);
    else console.error('The commands of the README work as written');
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    problems.push(`a command of README.md failed:\n${stdout}${stderr}`);
  }
  const help = await run(process.execPath, ['packages/server/src/main.ts', '--help'], { cwd: root });
  for (const [, command] of readme.matchAll(/^\| `tributary ([a-z-]+)/gm)) {
    if (!help.stdout.includes(`  ${command}`))
      problems.push(`README.md names \`tributary ${command}\`, which --help does not know`);
  }
}

/** Runs the guides, and compares the answers that they show with the real ones. */
async function runGuides(stack: Stack): Promise<void> {
  for (const path of guides) {
    const { steps, ran } = await runGuideOn(stack, root, path);
    const found = findProblems(steps, ran);
    problems.push(...found.map((problem) => `${path}, ${problem}`));
    if (found.length > 0)
      problems.push(`${path}: \`npm run guides -- --write\` writes the answers as they are now`);
    else console.error(`The ${steps.length} steps of ${path} hold`);
  }
}
