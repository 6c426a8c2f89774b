import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngines } from '@tributary/stack';
import type { TestProject } from 'vitest/node';
import { migrateAll } from '../../migrate.ts';
import { testConfig } from './test-config.ts';

declare module 'vitest' {
  interface ProvidedContext {
    engines: { databaseUrl: string; adminDatabaseUrl: string; natsUrl: string; redisUrl: string };
  }
}

/** Global setup of all integration tests: private engines, and a migrated database that every test clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'tributary-test-'));
  const engines = await startEngines({ dir });
  const { databaseUrl, adminDatabaseUrl, natsUrl, redisUrl } = engines;
  project.provide('engines', { databaseUrl, adminDatabaseUrl, natsUrl, redisUrl });
  await migrateAll(testConfig({ DATABASE_URL: databaseUrl, NATS_URL: natsUrl }));
  return async () => {
    await engines.stop();
    await rm(dir, { recursive: true, force: true });
  };
}
