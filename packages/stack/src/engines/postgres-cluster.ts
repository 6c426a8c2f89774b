import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresBinaries } from './binaries.ts';
import type { Supervision } from '../processes/child.ts';
import { StackError } from '../errors.ts';
import { runCommand } from '../processes/run-command.ts';
import type { EngineSecrets } from '../service/secrets.ts';
import { canEnter, giveTo, type SystemUser } from './system-user.ts';
import { engineEnvironment } from './engine.ts';

// Where root stores the database if the system user cannot access the stack's folder.
const SHARED_HOME = '/var/lib/tributary';

function placeOf(dir: string): string {
  return join(dir, 'postgres');
}

/** The data folder of a stack: inside its folder, or behind a link there. */
export async function locateData(dir: string, user: SystemUser | undefined): Promise<string> {
  const place = placeOf(dir);
  const linked = await readlink(place).catch(() => null);
  if (linked !== null) return linked;
  if (existsSync(place) || canEnter(user, dir)) return place;
  await mkdir(SHARED_HOME, { recursive: true });
  const home = await mkdtemp(join(SHARED_HOME, 'stack-'));
  await giveTo(home, user);
  await symlink(join(home, 'postgres'), place);
  return join(home, 'postgres');
}

/** The major version that created the data folder. Undefined before the first start. */
export async function findPostgresMajor(dir: string): Promise<string | undefined> {
  const text = await readFile(join(placeOf(dir), 'PG_VERSION'), 'utf8').catch(() => undefined);
  return text?.trim();
}

/** Fails before anything is created if the passwords of an existing database are lost. */
export function assertSecretsExist(dir: string): void {
  if (!existsSync(placeOf(dir)) || existsSync(join(dir, 'engines.json'))) return;
  throw new StackError(
    `${join(dir, 'engines.json')} is missing. It holds the passwords of the database in ${placeOf(dir)}.\n` +
      'Restore the file, or delete the folder to start over.',
  );
}

/** Creates the data folder on the first start. It is moved into place when complete, so that a partial one is never used. */
export async function ensureCluster(
  supervision: Supervision,
  binaries: PostgresBinaries,
  secrets: EngineSecrets,
  { data, user }: { data: string; user: SystemUser | undefined },
): Promise<void> {
  if (existsSync(data)) return;
  const partial = `${data}.partial`;
  const passwordFile = `${data}.password`;
  try {
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { recursive: true, mode: 0o700 });
    await giveTo(partial, user);
    await writeFile(passwordFile, `${secrets.postgres_admin_password}\n`, { mode: 0o600 });
    await giveTo(passwordFile, user);
    await runCommand(supervision, {
      name: 'initdb',
      command: binaries.initdb,
      args: [
        `--pgdata=${partial}`,
        `--pwfile=${passwordFile}`,
        `--locale=${process.platform === 'linux' ? 'C.UTF-8' : 'C'}`,
        '--username=postgres',
        '--auth=scram-sha-256',
        '--encoding=UTF8',
      ],
      env: engineEnvironment(),
      cwd: '/',
      user,
    });
    await rename(partial, data);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** Creates the role and the database of the service if they are missing. */
export async function ensureDatabase(
  supervision: Supervision,
  binaries: PostgresBinaries,
  secrets: EngineSecrets,
  port: number,
): Promise<void> {
  const sql = `
    SELECT 'CREATE ROLE tributary' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tributary') \\gexec
    ALTER ROLE tributary LOGIN NOSUPERUSER CREATEROLE PASSWORD '${secrets.postgres_password}';
    SELECT 'CREATE DATABASE tributary OWNER tributary'
      WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'tributary') \\gexec
  `;
  const launch = {
    name: 'psql',
    command: binaries.psql,
    args: [
      '--no-psqlrc',
      '--no-password',
      '--quiet',
      '--set=ON_ERROR_STOP=1',
      '--host=127.0.0.1',
      `--port=${port}`,
      '--username=postgres',
      '--dbname=postgres',
    ],
    env: engineEnvironment({ PGPASSWORD: secrets.postgres_admin_password }),
  };
  await runCommand(supervision, launch, { input: sql });
}
