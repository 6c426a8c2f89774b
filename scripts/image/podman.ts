import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export const podman = execFileSync('sh', ['-c', 'command -v podman || true'], { encoding: 'utf8' }).trim();

/** In a sandbox that cannot raise limits, runc fails to set those that Podman asks for. */
export const podmanOptions: readonly string[] = [
  '--runtime',
  join(import.meta.dirname, 'runc-without-limits'),
];
