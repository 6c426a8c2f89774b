import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, inject } from 'vitest';
import { createContext } from '../../create-context.ts';
import { createKeyring } from '../../credentials/keyring.ts';
import { keyPlaceOf } from '../../credentials/payload-cipher.ts';
import { createLog } from '../../log.ts';
import { migrateAll } from '../../migrate.ts';
import { checkReadiness } from '../../ops/readiness.ts';
import { inTransaction } from '../../store/database/database.ts';
import { testActing } from '../../test/acting.ts';
import {
  createKeyStoreDatabase,
  startKeyStoreApp,
  type TestKeyStore,
} from '../../test/apps/key-store-app.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { testConfig } from '../../test/apps/test-config.ts';
import { createPhoneUser, workThrough } from '../../test/data/uploads.ts';
import { resealValues } from '../encryption-keys/reseal-values.ts';
import { rebuildUser } from '../layers/rebuild-user.ts';
import { deleteUser } from '../users/delete-user.ts';
import { eraseUser } from '../users/erase-user.ts';
import { encryptStored } from './encrypt-stored.ts';
import { RawPayloads } from './raw-payloads.ts';

let app: TestApp & { keyStore: TestKeyStore };
beforeAll(async () => {
  app = await startKeyStoreApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const weight = { records: [{ metric: 'weight', start: '2026-03-01T08:00:00Z', value: 61.5 }] };
const tenantOf = ({ account }: TestApp) => testActing({ accountId: account.uuid, environment: 'live' });

async function keysIn(database: { admin: TestApp['admin'] }, userId: string) {
  const { rows } = await database.admin.query('SELECT sealed FROM raw_keys WHERE user_id = $1', [userId]);
  return rows as { sealed: Buffer | null }[];
}

function start(of: TestApp, keyStoreUrl: string | undefined) {
  const config = testConfig({
    DATABASE_URL: of.ctx.config.secrets.database.service.url.read(),
    NATS_URL: inject('engines').natsUrl,
    ...(keyStoreUrl === undefined ? {} : { KEY_STORE_URL: keyStoreUrl }),
  });
  return {
    migrate: () => migrateAll(config),
    run: async () =>
      (await createContext(config, 'ingest', createLog(config, 'ingest')))[Symbol.asyncDispose](),
  };
}

test('stores keys in the key store and not in the main database', async () => {
  const user = await createPhoneUser(app);
  await user.upload({ id: 'scale' }, weight);
  const { rows } = await app.admin.query('SELECT payload FROM raw_batches WHERE user_id = $1', [user.uuid]);
  expect(keyPlaceOf(rows[0].payload)).toBe('key_store');
  expect(await keysIn(app, user.uuid)).toEqual([]);
  expect(await keysIn(app.keyStore, user.uuid)).toHaveLength(1);
  await workThrough(app);
  expect(await inTransaction(app.ctx.operator, (tx) => rebuildUser(app.ctx, tx, user.uuid, 'raw'))).toEqual({
    changed: false,
  });
});

test('refuses to start without the key store, with an empty one, with another one, and with the main database', async () => {
  await using empty = await createKeyStoreDatabase();
  await using other = await startKeyStoreApp();
  await expect(start(app, undefined).run()).rejects.toThrow('KEY_STORE_URL is missing');
  await expect(start(app, empty.url).run()).rejects.toThrow('is not the key store of this installation');
  await expect(start(app, empty.url).migrate()).rejects.toThrow('is not the key store of this installation');
  await expect(start(app, other.keyStore.url).run()).rejects.toThrow('is not the key store');
  await expect(start(app, app.ctx.config.secrets.database.service.url.read()).run()).rejects.toThrow(
    'names the main database',
  );
  await start(app, app.keyStore.url).run();
});

test('an erasure waits while the key store is unavailable, and uploads are rejected', async () => {
  const [user, other] = [await createPhoneUser(app), await createPhoneUser(app)];
  await user.upload({ id: 'scale' }, weight);
  await deleteUser(app.ctx, tenantOf(app), user.uuid);
  await app.keyStore.disconnect();
  expect((await checkReadiness(app.ctx)).checks['key_store']).toMatch(/^degraded/);
  await expect(eraseUser(app.ctx, user.uuid)).rejects.toThrow();
  const erasure = async () =>
    (await app.admin.query('SELECT finished_at FROM erasures WHERE user_id = $1', [user.uuid])).rows[0];
  expect(await erasure()).toEqual({ finished_at: null });
  const batch = {
    batch_id: randomUUID(),
    device: { provider: 'apple_health', kind: 'watch', id: 'x' },
    ...weight,
  };
  const upload = () => app.request('POST', '/v1/sdk/batches', { key: other.accessToken, body: batch });
  expect(await upload()).toMatchObject({ status: 503, body: { error: 'unavailable' } });
  await app.keyStore.reconnect();
  expect(await upload()).toMatchObject({ status: 202 });
  expect(await keysIn(app.keyStore, user.uuid)).toEqual([{ sealed: expect.any(Buffer) }]);
  expect(await eraseUser(app.ctx, user.uuid)).not.toBeNull();
  expect((await erasure()).finished_at).not.toBeNull();
  expect(await keysIn(app.keyStore, user.uuid)).toEqual([{ sealed: null }]);
  expect((await checkReadiness(app.ctx)).checks['key_store']).toBe('ok');
  await workThrough(app);
});

test('a batch waits for the key store without a failed attempt', async () => {
  const user = await createPhoneUser(app);
  await user.upload({ id: 'scale' }, weight);
  const { rows } = await app.admin.query(
    'SELECT user_id AS "userId", batch_id AS "batchId", payload FROM raw_batches WHERE user_id = $1',
    [user.uuid],
  );
  const node = new RawPayloads(app.ctx.operator, app.ctx.rawPayloads.keyStore, app.ctx.keyring);
  await app.keyStore.disconnect();
  await expect(node.readKeys(rows)).rejects.toThrow();
  await app.keyStore.reconnect();
  expect((await node.readKeys(rows))(rows[0]).length).toBeGreaterThan(0);
  await workThrough(app);
});

test('a rotation of ENCRYPTION_KEYS seals the keys in the key store again', async () => {
  const user = await createPhoneUser(app);
  await user.upload({ id: 'scale' }, weight);
  const old = { version: 1, key: Buffer.alloc(32, 7) };
  const fresh = { version: 2, key: Buffer.alloc(32, 8) };
  const { resealed, left } = await resealValues({ ...app.ctx, keyring: createKeyring([fresh, old]) });
  expect(resealed.key_store).toBeGreaterThan(0);
  expect(left.key_store).toBe(0);
  const { rows } = await app.admin.query(
    'SELECT user_id AS "userId", batch_id AS "batchId", payload FROM raw_batches WHERE user_id = $1',
    [user.uuid],
  );
  const node = new RawPayloads(app.ctx.operator, app.ctx.rawPayloads.keyStore, createKeyring([fresh]));
  expect((await node.readKeys(rows))(rows[0]).length).toBeGreaterThan(0);
  await resealValues({ ...app.ctx, keyring: createKeyring([old, fresh]) });
  await workThrough(app);
});

test('a key store that is added later takes over once the payloads are encrypted again', async () => {
  await using main = await startTestApp();
  const user = await createPhoneUser(main);
  await user.upload({ id: 'scale' }, weight);
  await workThrough(main);
  await using keyStore = await createKeyStoreDatabase();
  await expect(start(main, keyStore.url).run()).rejects.toThrow('Run `tributary migrate` first');
  await start(main, keyStore.url).migrate();
  const config = testConfig({
    DATABASE_URL: main.ctx.config.secrets.database.service.url.read(),
    NATS_URL: inject('engines').natsUrl,
    KEY_STORE_URL: keyStore.url,
  });
  await using ctx = await createContext(config, 'cli', createLog(config, 'cli'));
  const rebuild = () => inTransaction(ctx.operator, (tx) => rebuildUser(ctx, tx, user.uuid, 'raw'));
  expect(await rebuild()).toEqual({ changed: false });
  expect(await encryptStored(ctx)).toMatchObject({ encrypted: 1 });
  const { rows } = await main.admin.query('SELECT payload FROM raw_batches WHERE user_id = $1', [user.uuid]);
  expect(keyPlaceOf(rows[0].payload)).toBe('key_store');
  expect(await rebuild()).toEqual({ changed: false });
  await deleteUser(ctx, tenantOf(main), user.uuid);
  await eraseUser(ctx, user.uuid);
  expect([
    ...(await keysIn(main, user.uuid)),
    ...(await keysIn({ admin: keyStore.admin }, user.uuid)),
  ]).toEqual([{ sealed: null }, { sealed: null }]);
});
