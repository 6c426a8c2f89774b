import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startStack } from '@tributary/stack';

/** Checks that what the documents name exists, and that the commands of the README work as written. */
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
  for (const [, name] of text.matchAll(/npm run ([\w:]+)/g)) {
    if (!Object.hasOwn(scripts, name ?? ''))
      problems.push(`${document} names \`npm run ${name}\`, which package.json does not have`);
  }
}
console.error(`${documents.length} documents read`);

if (!process.argv.includes('--paths-only')) await runReadme();

for (const problem of problems) console.error(`✗ ${problem}`);
console.log(problems.length === 0 ? 'The documents hold.' : `${problems.length} problems in the documents.`);
process.exit(problems.length === 0 ? 0 : 1);

/** Links to files, and code spans that look like paths of the tree. */
function* pathsIn(text: string, document: string): Generator<string> {
  for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g))
    yield join(dirname(document), target!);
  for (const [, span] of text.matchAll(/`((?:packages|docs|bench|chaos|scripts|test)\/[\w./-]+)`/g))
    yield span!;
}

/** Runs the README's blocks in order, against a stack of its own: only the address and the folder of the keys are exchanged. */
async function runReadme(): Promise<void> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!);
  const requests = blocks.find((block) => block.includes('curl'));
  if (!requests) return void problems.push('README.md has no curl commands');
  const start = blocks.find((block) => block.includes('npm run stack'));
  if (!start?.includes('npm ci')) problems.push('README.md does not say how to start');

  await using stack = await startStack({ ephemeral: true });
  const script = requests
    .replaceAll('http://127.0.0.1:8080', stack.info.base_url)
    .replaceAll('.tributary/demo.json', join(stack.dir, 'demo.json'))
    // Each request also has to succeed.
    .replaceAll('curl -s ', 'curl -s --fail-with-body ');
  const expected = /The last one answers `(.+?)`/.exec(readme)?.[1];
  try {
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: root });
    if (!expected || !stdout.endsWith(expected))
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
