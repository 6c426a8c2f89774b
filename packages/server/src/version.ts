import { readFileSync } from 'node:fs';
import packageJson from '../package.json' with { type: 'json' };

/** The version of the service, as in its package. */
export const { version } = packageJson;

/** The commit that the image was built from. Null outside an image. */
export const commit = readCommit();

function readCommit(): string | null {
  try {
    return readFileSync(new URL('../commit', import.meta.url), 'utf8').trim();
  } catch {
    return null;
  }
}
