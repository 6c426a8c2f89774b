import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { migrateAll } from '../../migrate.ts';
import { startTestApp, type ArrangeDatabase, type TestApp } from './test-app.ts';
import { testConfig } from './test-config.ts';

/** An empty database for a key store, which can be made unreachable. */
export interface TestKeyStore extends AsyncDisposable {
  url: string;
  admin: pg.Pool;
  disconnect(): Promise<void>;
  reconnect(): Promise<void>;
}

export async function createKeyStoreDatabase(): Promise<TestKeyStore> {
  const { adminDatabaseUrl, databaseUrl } = inject('engines');
  const name = `keys_${randomBytes(6).toString('hex')}`;
  const server = new pg.Client({ connectionString: adminDatabaseUrl });
  await server.connect();
  await server.query(`CREATE DATABASE ${name} OWNER tributary`);
  const at = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const admin = new pg.Pool({ connectionString: at(adminDatabaseUrl), max: 1, idleTimeoutMillis: 100 });
  admin.on('error', () => {});
  return {
    url: at(databaseUrl),
    admin,
    async disconnect() {
      await server.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
      await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    },
    async reconnect() {
      await server.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
    },
    async [Symbol.asyncDispose]() {
      await admin.end();
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await server.end();
    },
  };
}

/** A test app whose keys are in a key store of its own. */
export async function startKeyStoreApp(
  arrange: ArrangeDatabase = async () => ({}),
): Promise<TestApp & { keyStore: TestKeyStore }> {
  await using resources = new AsyncDisposableStack();
  const keyStore = resources.use(await createKeyStoreDatabase());
  const app = resources.use(
    await startTestApp({}, undefined, async (database, own) => {
      const settings = {
        DATABASE_URL: database.url,
        KEY_STORE_URL: keyStore.url,
        ...(await arrange(database, own)),
      };
      await migrateAll(testConfig(settings));
      return settings;
    }),
  );
  const owned = resources.move();
  return { ...app, keyStore, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
