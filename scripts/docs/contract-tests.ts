import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** A test as the document names it: its file below `packages/`, and its titles from the outermost on. */
interface NamedTest {
  line: number;
  file: string;
  title: string;
}

const document = 'docs/contract.md';
/** What stands between the parts of a name. */
const separator = ' › ';

/** Every sentence of the contract names the tests that hold it: each of them must exist. */
export async function findContractProblems(root: string): Promise<string[]> {
  const text = await readFile(join(root, document), 'utf8');
  const named = namedTests(text);
  const files = new Set(named.map(({ file }) => file));
  const found = contractProblems(text, await collectTests(root, [...files]));
  console.error(`${named.length} tests that hold the contract looked up in ${files.size} files`);
  return found.map((problem) => `${document}: ${problem}`);
}

/** Every test that the document names: code spans that begin with a test file. */
export function namedTests(text: string): NamedTest[] {
  return text.split('\n').flatMap((line, at) =>
    [...line.matchAll(/`([\w./-]+\.test\.ts) › ([^`]+)`/g)].map(([, file, title]) => ({
      line: at + 1,
      file: file!,
      title: title!,
    })),
  );
}

/** What is wrong with the document, given every test there is as `file › title`. */
export function contractProblems(text: string, existing: ReadonlySet<string>): string[] {
  const gone = namedTests(text)
    .filter(({ file, title }) => !existing.has(nameOf(file, title)))
    .map(
      ({ line, file, title }) => `line ${line} names the test ${nameOf(file, title)}, which does not exist`,
    );
  return [...gone, ...rowsWithoutTest(text)];
}

function nameOf(file: string, title: string): string {
  return `${file}${separator}${title}`;
}

function isRow(line: string): boolean {
  return line.startsWith('|');
}

/** A sentence that no test holds is a promise that nobody keeps. */
function rowsWithoutTest(text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const isHead = !isRow(lines[at - 1] ?? '');
    const isRule = /^\|[\s|:-]+$/.test(line);
    if (!isRow(line) || isHead || isRule || namedTests(line).length > 0) return [];
    return [`line ${at + 1} names no test: ${line.slice(0, 80)}`];
  });
}

/** The tests of these files with the titles that they run under, rows of tables too: the files are loaded, and nothing is run. */
export async function collectTests(root: string, files: readonly string[]): Promise<Set<string>> {
  const packages = resolve(root, 'packages');
  const folder = await mkdtemp(join(tmpdir(), 'tributary-tests-'));
  try {
    const report = join(folder, 'tests.json');
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const filters = files.map((file) => join(packages, file));
    const list = ['list', `--json=${report}`, '--no-staticParse', ...filters];
    await promisify(execFile)(process.execPath, [vitest, ...list], { cwd: root });
    const found = JSON.parse(await readFile(report, 'utf8')) as { name: string; file: string }[];
    return new Set(
      found.map(({ name, file }) =>
        nameOf(file.slice(packages.length + 1), name.replaceAll(' > ', separator)),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
