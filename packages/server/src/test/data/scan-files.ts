import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The number of files below a folder that contain any of these bytes, and the bytes that were read. */
export async function scanFiles(
  folder: string,
  needles: readonly Buffer[],
): Promise<{ hits: number; bytes: number }> {
  let [hits, bytes] = [0, 0];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const content = await readFile(join(entry.parentPath, entry.name));
    bytes += content.length;
    if (needles.some((needle) => content.includes(needle))) hits += 1;
  }
  return { hits, bytes };
}
