/** Writes brotli and gzip copies of every text file of the build, because compressing well takes too long at request time. */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const dist = process.argv[2] ? pathToFileURL(`${process.argv[2]}/`) : new URL('../dist/', import.meta.url);

for (const name of await readdir(dist, { recursive: true })) {
  // The page itself is skipped because each response contains a new nonce.
  if (!/\.(js|css|svg)$/.test(name)) continue;
  const file = new URL(name, dist);
  const content = await readFile(file);
  const brotli = brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  });
  await writeFile(`${file.pathname}.br`, brotli);
  await writeFile(`${file.pathname}.gz`, gzipSync(content, { level: 9 }));
}
