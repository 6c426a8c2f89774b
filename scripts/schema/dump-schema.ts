import { execFile } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StackError } from '@tributary/stack';
import { findBinaries } from '@tributary/stack/parts';
import { normalizeDump } from './normalize-dump.ts';

const run = promisify(execFile);

/** The pg_dump that belongs to the started PostgreSQL. An older one refuses to dump a newer server. */
export function findPgDump(
  { postgres }: Pick<ReturnType<typeof findBinaries>, 'postgres'> = findBinaries(),
): string {
  if (postgres === null)
    throw new StackError('PostgreSQL is not installed. Install it to compare schema.sql.');
  // The binary may be a link into a version's folder.
  const folder = dirname(realpathSync(postgres.postgres));
  const path = join(folder, 'pg_dump');
  try {
    accessSync(path, constants.X_OK);
  } catch {
    throw new StackError(
      `pg_dump is missing next to postgres in ${folder}. Install the client programs of the same PostgreSQL version.`,
    );
  }
  return path;
}

/** The months of a table depend on when it was migrated. */
const months = 'public.access_records_[0-9]*';

/** Dumps the schema of a database as a superuser, which bypasses row-level security. */
export async function dumpSchema(pgDump: string, adminUrl: string, databaseUrl: string): Promise<string> {
  const url = new URL(adminUrl);
  url.pathname = new URL(databaseUrl).pathname;
  const { stdout } = await run(
    pgDump,
    ['--schema-only', '--no-owner', `--exclude-table=${months}`, url.href],
    {
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return normalizeDump(stdout);
}
