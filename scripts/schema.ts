/** Compares packages/server/src/store/database/schema.sql with the schema that the migrations create, or writes it with --write. Starts private engines. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { migrate, openPool } from '@tributary/server/testing/database';
import { startEngines, StackError } from '@tributary/stack';
import { dumpSchema, findPgDump } from './schema/dump-schema.ts';
import { formatDifferences } from './schema/format-differences.ts';
import { majorIn } from './schema/normalize-dump.ts';

const file = fileURLToPath(new URL('../packages/server/src/store/database/schema.sql', import.meta.url));
const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

try {
  const snapshot = await takeSnapshot();
  const checkedIn = await readFile(file, 'utf8').catch(() => null);
  if (values.write) {
    await writeFile(file, snapshot);
    console.log(checkedIn === snapshot ? 'schema.sql is up to date.' : 'Wrote schema.sql.');
  } else if (checkedIn === snapshot) {
    console.log('schema.sql matches the migrations.');
  } else {
    fail(describeDifference(checkedIn, snapshot));
  }
} catch (error) {
  if (!(error instanceof StackError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/** The schema of a database with our migrations, without objects that libraries create at run time. */
async function takeSnapshot(): Promise<string> {
  const pgDump = findPgDump();
  const dir = await mkdtemp(join(tmpdir(), 'tributary-schema-'));
  try {
    await using engines = await startEngines({ dir });
    await migrateTables(engines.databaseUrl);
    return await dumpSchema(pgDump, engines.adminDatabaseUrl, engines.databaseUrl);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function migrateTables(url: string): Promise<void> {
  const owner = openPool({
    url,
    role: 'owner',
    max: 1,
    statementTimeoutMs: 0,
    applicationName: 'tributary-schema',
  });
  try {
    await migrate(owner, async () => {});
  } finally {
    await owner.end();
  }
}

function describeDifference(checkedIn: string | null, snapshot: string): string {
  if (checkedIn === null) return 'schema.sql does not exist.';
  const [before, now] = [majorIn(checkedIn), majorIn(snapshot)];
  return [
    'schema.sql does not match the migrations:',
    ...formatDifferences(checkedIn, snapshot),
    ...(before === now
      ? []
      : [
          `The file was written with PostgreSQL ${before}, but this is PostgreSQL ${now}. Compare with the same version.`,
        ]),
  ].join('\n');
}

function fail(problem: string): void {
  console.error(`${problem}\nRun \`npm run schema -- --write\` and commit the file.`);
  process.exitCode = 1;
}
