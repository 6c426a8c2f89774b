import { execFileSync, spawnSync } from 'node:child_process';
import { chown } from 'node:fs/promises';
import { StackError } from '../errors.ts';

export interface SystemUser {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root, so root starts it as its system user. Other users start it as themselves. */
export function postgresUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  try {
    return { uid: readPostgresId('-u'), gid: readPostgresId('-g') };
  } catch (cause) {
    throw new StackError(
      'PostgreSQL cannot run as root, and there is no system user "postgres" to run it as.\n' +
        'Start the stack as a regular user, or add that user (useradd --system postgres).',
      { cause },
    );
  }
}

export async function giveTo(path: string, user: SystemUser | undefined): Promise<void> {
  if (user !== undefined) await chown(path, user.uid, user.gid);
}

/** Whether the user may enter a folder. The system user often cannot enter folders of root, such as /root. */
export function canEnter(user: SystemUser | undefined, folder: string): boolean {
  if (user === undefined) return true;
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}

function readPostgresId(flag: '-u' | '-g'): number {
  return Number(
    execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
}
