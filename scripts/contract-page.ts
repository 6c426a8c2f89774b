/** Compares docs/contract.md with the tags of the tests, or writes it with --write. `--tests` prints every sentence with its tests. Runs no test. */
import { glob, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { hasTags, readTags } from './contract/read-tags.ts';
import { sections } from './contract/sections.ts';
import { showDifferences } from './contract/show-differences.ts';
import { findPageProblems, writePage } from './contract/write-page.ts';

const root = resolve(import.meta.dirname, '..');
const page = 'docs/contract.md';
const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, tests: { type: 'boolean', default: false } },
});

const files = await Array.fromAsync(glob('{packages/*/src,test}/**/*.test.ts', { cwd: root }));
const read = await Promise.all(
  files.toSorted().map(async (file) => {
    const text = await readFile(join(root, file), 'utf8');
    return hasTags(text) ? readTags(file, text) : { sentences: [], problems: [] };
  }),
);
const sentences = read.flatMap((one) => one.sentences);
const problems = [...read.flatMap((one) => one.problems), ...findPageProblems(sections, sentences)];
const text = writePage(sections, sentences);
const checkedIn = await readFile(join(root, page), 'utf8').catch(() => '');

if (problems.length > 0) {
  for (const problem of problems) console.error(`✗ ${problem}`);
  process.exitCode = 1;
} else if (values.tests) {
  for (const { section, sentence, file, test } of sentences)
    console.log([section, sentence, file, test].join('\t'));
} else if (values.write) {
  await writeFile(join(root, page), text);
  console.log(checkedIn === text ? `${page} is up to date.` : `Wrote ${page}.`);
} else if (checkedIn === text) {
  console.log(`${page} is up to date: ${sentences.length} proofs.`);
} else {
  console.error(`${page} is not up to date:\n${showDifferences(checkedIn, text)}`);
  console.error('Run `npm run contract:page -- --write` and commit the file.');
  process.exitCode = 1;
}
