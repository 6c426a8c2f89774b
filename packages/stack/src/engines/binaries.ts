import { execFileSync } from 'node:child_process';
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { StackError } from '../errors.ts';

export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  psql: string;
}

export interface Binaries {
  postgres: PostgresBinaries | null;
  nats: string | null;
  redis: string | null;
}

export type EngineName = keyof Binaries;

/** The folders that are searched for programs, in order. */
export interface Places {
  postgresFolders: string[];
  folders: string[];
}

const PARENTS_OF_VERSIONS = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt', '/usr'];
const VERSION_FOLDER = /^(?:postgresql@|pgsql-)?(\d+)$/;
// Some packages install servers outside a regular user's PATH.
const USUAL_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'];

const INSTALL: Record<EngineName, { title: string; apt: string; brew: string; variable: string }> = {
  postgres: { title: 'PostgreSQL', apt: 'postgresql', brew: 'postgresql@17', variable: 'DATABASE_URL' },
  nats: { title: 'NATS', apt: 'nats-server', brew: 'nats-server', variable: 'NATS_URL' },
  redis: { title: 'Redis', apt: 'redis-server', brew: 'redis', variable: 'REDIS_URL' },
};

function usualPlaces(): Places {
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const folders = [...path, ...USUAL_FOLDERS];
  return { postgresFolders: [...versionedFolders(), ...queryPgConfig(), ...folders], folders };
}

/** Finds the programs of the engines. `postgresMajor` is the version that created an existing data folder. */
export function findBinaries(places: Places = usualPlaces(), postgresMajor?: string): Binaries {
  return {
    postgres: findPostgres(places, postgresMajor),
    nats: findProgram(places.folders, 'nats-server'),
    redis: findProgram(places.folders, 'redis-server') ?? findProgram(places.folders, 'valkey-server'),
  };
}

/** Throws with installation instructions if a required program is missing. */
export function assertInstalled(binaries: Binaries, needed: readonly EngineName[]): void {
  const missing = needed.filter((name) => binaries[name] === null).map((name) => INSTALL[name]);
  if (missing.length === 0) return;
  const list = (pick: (item: (typeof missing)[number]) => string, separator: string): string =>
    missing.map(pick).join(separator);
  throw new StackError(
    [
      `Not found on this machine: ${list((item) => item.title, ', ')}.`,
      '',
      'Install them:',
      `  Debian, Ubuntu   apt-get install ${list((item) => item.apt, ' ')}`,
      `  macOS            brew install ${list((item) => item.brew, ' ')}`,
      '',
      `Or use one that runs elsewhere: set ${list((item) => item.variable, ', ')}.`,
    ].join('\n'),
  );
}

function findPostgres(
  { postgresFolders, folders }: Places,
  major: string | undefined,
): PostgresBinaries | null {
  const ofMajor = postgresFolders.filter(
    (folder) => folder.split('/').at(-2)?.match(VERSION_FOLDER)?.[1] === major,
  );
  for (const folder of [...ofMajor, ...postgresFolders]) {
    const postgres = findProgram([folder], 'postgres');
    const initdb = findProgram([folder], 'initdb');
    const psql = findProgram([folder, ...folders], 'psql');
    if (postgres !== null && initdb !== null && psql !== null) return { postgres, initdb, psql };
  }
  return null;
}

function findProgram(folders: readonly string[], name: string): string | null {
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function versionedFolders(): string[] {
  const candidates = PARENTS_OF_VERSIONS.flatMap((parent) =>
    listFolder(parent).flatMap((name) => {
      const version = VERSION_FOLDER.exec(name)?.[1];
      return version === undefined ? [] : [{ version: Number(version), folder: join(parent, name, 'bin') }];
    }),
  );
  return candidates.toSorted((a, b) => b.version - a.version).map(({ folder }) => folder);
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function queryPgConfig(): string[] {
  try {
    return [
      execFileSync('pg_config', ['--bindir'], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim(),
    ];
  } catch {
    return [];
  }
}
