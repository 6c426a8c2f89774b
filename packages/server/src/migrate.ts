import type { Logger } from 'pino';
import { ConfigError, type Config } from './config.ts';
import { openDatabase, openKeyStore } from './create-context.ts';
import { migrateJobs } from './queue/boss.ts';
import { prepareKeyStore } from './services/raw-payloads/check-key-store.ts';
import { listPendingMigrations, migrate, type MigrationReport } from './store/database/migrate.ts';

const insufficientPrivilege = '42501';

/** Migrates tables and job queues to this version. Any number of nodes may do this concurrently. */
export async function migrateAll(config: Config): Promise<MigrationReport> {
  const owner = openDatabase(config, 'owner', 2);
  try {
    const report = await migrate(owner, () => migrateJobs(owner));
    const keyStore = openKeyStore(config, 1);
    try {
      if (keyStore) await prepareKeyStore(owner, keyStore);
    } finally {
      await keyStore?.end();
    }
    return report;
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
  // Not as owner: the login of the service may have no rights but those of its roles.
  const operator = openDatabase(config, 'operator', 1);
  try {
    const pending = await listPendingMigrations(operator);
    if (pending.length > 0)
      throw new ConfigError(
        `Migrations not applied: ${pending.join(', ')}. Run \`tributary migrate\` first.`,
      );
  } catch (error) {
    // Earlier versions did not let this role read which migrations are applied.
    if ((error as { code?: string }).code !== insufficientPrivilege) throw error;
    throw new ConfigError('The database schema is older than this version. Run `tributary migrate` first.');
  } finally {
    await operator.end();
  }
}
