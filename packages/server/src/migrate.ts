import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openDatabase } from './create-context.ts';
import { migrateJobs } from './queue/boss.ts';
import { listPendingMigrations, migrate, type MigrationReport } from './store/database/migrate.ts';

/** Migrates tables and job queues to this version. Any number of nodes may do this concurrently. */
export async function migrateAll(config: Config): Promise<MigrationReport> {
  const owner = openDatabase(config, 'owner', 2);
  try {
    return await migrate(owner, () => migrateJobs(owner));
  } finally {
    await owner.end();
  }
}

/** At startup of a node: migrates, or refuses to run on a database that must be migrated separately. */
export async function prepareDatabase(config: Config, log: Logger): Promise<void> {
  if (config.database.migrateOnStart) {
    const report = await migrateAll(config);
    if (report.applied.length > 0) log.info({ applied: report.applied }, 'database migrated');
    return;
  }
  const owner = openDatabase(config, 'owner', 1);
  try {
    const pending = await listPendingMigrations(owner);
    if (pending.length > 0)
      throw new Error(`Migrations not applied: ${pending.join(', ')}. Run \`tributary migrate\` first.`);
  } finally {
    await owner.end();
  }
}
