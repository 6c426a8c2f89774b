import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const path = 'node_modules/.cache/prose.json';

/** Lists the problems of all files. Files without problems are not checked again until they, or the checker, change. */
export async function checkWithCache(
  files: readonly string[],
  check: (file: string, text: string) => Promise<string[]>,
): Promise<string[]> {
  const clean = new Set(await readCache());
  const version = hashChecker();
  const stillClean: string[] = [];
  const problems: string[] = [];
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    const key = createHash('sha256').update(`${version}\n${file}\n${text}`).digest('base64');
    const ofFile = clean.has(key) ? [] : await check(file, text);
    if (ofFile.length === 0) stillClean.push(key);
    problems.push(...ofFile);
  }
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(stillClean));
  return problems;
}

async function readCache(): Promise<string[]> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as string[];
  } catch {
    return []; // the first run, or an interrupted write
  }
}

/** Changes with the rules, the plugins and the versions of the tools. */
function hashChecker(): string {
  const hash = createHash('sha256').update(readFileSync('package.json'));
  for (const name of readdirSync(import.meta.dirname).toSorted())
    hash.update(readFileSync(join(import.meta.dirname, name)));
  return hash.digest('base64');
}
