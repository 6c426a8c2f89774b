/** What a first visit to each page costs, and a failure when one of them asks for too much. */
import { readFile, stat } from 'node:fs/promises';

interface Chunk {
  file: string;
  src?: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
  css?: string[];
}

const mostScriptKilobytes = 200;
const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', dist), 'utf8')) as Record<
  string,
  Chunk
>;

const entry = Object.keys(manifest).find((name) => manifest[name]!.isEntry);
if (!entry) throw new Error('The build has no entry: build the dashboard first.');
const pages = Object.keys(manifest).filter(
  (name) =>
    manifest[name]!.isDynamicEntry &&
    name.startsWith('src/pages/') &&
    // Shows all that there is, to those who build pages; nobody waits for it.
    !name.startsWith('src/pages/story/') &&
    // What opens by a press comes after the first load.
    !/dialogs?\.tsx$/.test(name),
);

const rows = [];
for (const page of [null, ...pages]) {
  const needed = [entry, ...(page ? [pageAround(page), page] : [])];
  const chunks = [...new Set(needed.flatMap((name) => [...closureOf(name)]))];
  const scripts = chunks.map((name) => manifest[name]!.file);
  const styles = [...new Set(chunks.flatMap((name) => manifest[name]!.css ?? []))];
  rows.push({
    page: page ?? 'the frame alone',
    'script gzip KB': await kilobytes(scripts, 'gz'),
    'script brotli KB': await kilobytes(scripts, 'br'),
    'style brotli KB': await kilobytes(styles, 'br'),
    files: scripts.length,
  });
}
console.table(rows);

const tooLarge = rows.filter((row) => row['script gzip KB'] >= mostScriptKilobytes);
if (tooLarge.length > 0) {
  console.error(
    `More than ${mostScriptKilobytes} KB of script: ${tooLarge.map(({ page }) => page).join(', ')}`,
  );
  process.exitCode = 1;
}

/** The page in which a tab or a panel is; a page is in itself. */
function pageAround(name: string): string {
  const folder = name.slice(0, name.lastIndexOf('/'));
  const around = `${folder}/${folder.slice(folder.lastIndexOf('/') + 1)}.tsx`;
  return around in manifest ? around : name;
}

/** A chunk and all that must be there before it runs. */
function closureOf(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const next of manifest[name]!.imports ?? []) closureOf(next, seen);
  return seen;
}

async function kilobytes(files: readonly string[], ending: string): Promise<number> {
  const sizes = await Promise.all(files.map((file) => stat(new URL(`${file}.${ending}`, dist))));
  return Math.round(sizes.reduce((sum, { size }) => sum + size, 0) / 102.4) / 10;
}
