import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startStack, type Stack } from '@tributary/stack';
import { findQuoteProblems } from './docs/quotes.ts';
import { findProblems } from './guides/check-guide.ts';
import { guides, runGuideOn } from './guides/guides.ts';

/** Checks that files named in the documents exist, that quotes match their source, and that the commands and responses in README and guides are correct. */
const root = resolve(import.meta.dirname, '..');
const run = promisify(execFile);
const problems: string[] = [];

const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const documents = await Array.fromAsync(
  glob(['*.md', 'docs/**/*.md', 'packages/client/README.md'], { cwd: root }),
);
for (const document of documents) {
  const text = await readFile(join(root, document), 'utf8');
  for (const path of pathsIn(text, document))
    if (!existsSync(join(root, path))) problems.push(`${document} refers to ${path}, which does not exist`);
  problems.push(...(await findQuoteProblems(root, document, text)));
  for (const [, name] of text.matchAll(/npm run (\w[\w:-]*\w)/g)) {
    if (!Object.hasOwn(scripts, name ?? ''))
      problems.push(`${document} refers to \`npm run ${name}\`, which is not in package.json`);
  }
}
console.error(`Read ${documents.length} documents`);

if (!process.argv.includes('--paths-only')) {
  await using stack = await startStack({ ephemeral: true });
  await checkReadme();
  await runGuides(stack);
}

for (const problem of problems) console.error(`✗ ${problem}`);
console.log(
  problems.length === 0
    ? 'All documents are correct.'
    : `Found ${problems.length} problems in the documents.`,
);
process.exit(problems.length === 0 ? 0 : 1);

/** Links to files, and code spans that are paths in the repository. */
function* pathsIn(text: string, document: string): Generator<string> {
  for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g))
    yield join(dirname(document), target!);
  for (const [, target] of text.matchAll(/^\[[^\]]+\]: (?!https?:|#)([^#\s]+)/gm))
    yield join(dirname(document), target!);
  for (const [, span] of text.matchAll(/`((?:packages|docs|bench|chaos|scripts|test)\/[\w./-]+)`/g))
    yield span!;
}

/** Checks the README's instructions for starting, and that `--help` lists the commands it names. */
async function checkReadme(): Promise<void> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  if (!/^```bash\n[^`]*^npm ci\nnpm run stack\n```$/m.test(readme))
    problems.push('README.md does not show how to start the stack');
  const help = await run(process.execPath, ['packages/server/src/main.ts', '--help'], { cwd: root });
  for (const [, command] of readme.matchAll(/^\| `tributary ([a-z-]+)/gm)) {
    if (!help.stdout.includes(`  ${command}`))
      problems.push(`README.md lists \`tributary ${command}\`, which is not in --help`);
  }
}

/** Runs the guides and compares the responses in them with the actual ones. */
async function runGuides(stack: Stack): Promise<void> {
  for (const path of guides) {
    const { steps, ran } = await runGuideOn(stack, root, path);
    const guideProblems = findProblems(steps, ran);
    problems.push(...guideProblems.map((problem) => `${path}, ${problem}`));
    if (guideProblems.length > 0)
      problems.push(`${path}: run \`npm run guides -- --write\` to update the responses`);
    else console.error(`${path}: all ${steps.length} steps are correct`);
  }
}
