import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openDatabase } from './context.ts';
import { migrateJobs } from './jobs/boss.ts';
import { listPendingMigrations, migrate, type MigrationReport } from './store/migrate.ts';

/** Brings tables and job queues up to this version. Any number of nodes may do this at once. */
export async function migrateAll(config: Config): Promise<MigrationReport> {
  const owner = openDatabase(config, 'owner', 2);
  try {
    return await migrate(owner, () => migrateJobs(owner));
  } finally {
    await owner.end();
  }
}

/** At the start of a node: migrates, or refuses to run on a database that someone else must migrate first. */
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
      throw new Error(`The database lacks ${pending.join(', ')}. Run \`tributary migrate\` first.`);
  } finally {
    await owner.end();
  }
}
