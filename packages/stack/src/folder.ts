import { chmod, mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Guard } from './processes/guard.ts';
import { canEnter, postgresUser } from './engines/system-user.ts';

/** Creates the folder of a stack, accessible only to the user who starts it. */
export async function openFolder(dir: string): Promise<string> {
  const folder = resolve(dir);
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await letPostgresPass(folder);
  return folder;
}

/** Creates a temporary folder, which is always removed at the end. */
export async function openTemporaryFolder(guard: Guard): Promise<string> {
  const parent = await realpath(tmpdir());
  // Root may have a private temporary folder, which the PostgreSQL user cannot enter.
  const folder = await mkdtemp(join(canEnter(postgresUser(), parent) ? parent : '/tmp', 'tributary-'));
  guard.removeAtEnd(folder);
  await letPostgresPass(folder);
  return folder;
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

// Root runs PostgreSQL as another user, which must be able to pass through this folder without listing it.
async function letPostgresPass(folder: string): Promise<void> {
  if (process.getuid?.() === 0) await chmod(folder, (await stat(folder)).mode | 0o011);
}
