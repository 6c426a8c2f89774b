/** Reports the download size of a first visit to each page and fails if a page exceeds its limit. */
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
if (!entry) throw new Error('The build has no entry. Build the dashboard first.');
const pages = Object.keys(manifest).filter(
  (name) =>
    manifest[name]!.isDynamicEntry &&
    name.startsWith('src/pages/') &&
    // The component gallery for developers has no limit.
    !name.startsWith('src/pages/story/') &&
    // Dialogs load on demand, after the first load.
    !/dialogs?\.tsx$/.test(name),
);

const rows = [];
for (const page of [null, ...pages]) {
  const needed = [entry, ...(page ? [pageAround(page), page] : [])];
  const chunks = [...new Set(needed.flatMap((name) => [...closureOf(name)]))];
  const scripts = chunks.map((name) => manifest[name]!.file);
  const styles = [...new Set(chunks.flatMap((name) => manifest[name]!.css ?? []))];
  rows.push({
    page: page ?? 'the shell only',
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

/** Returns the page that contains a tab or panel. A page contains itself. */
function pageAround(name: string): string {
  const folder = name.slice(0, name.lastIndexOf('/'));
  const around = `${folder}/${folder.slice(folder.lastIndexOf('/') + 1)}.tsx`;
  return around in manifest ? around : name;
}

/** Returns a chunk and all chunks it needs before it runs. */
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
