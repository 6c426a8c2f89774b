import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { startEngines, type RunningEngines } from '@tributary/stack';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContext } from '../../create-context.ts';
import { createLog } from '../../log.ts';
import { insertPush } from '../../store/connections/provider-pushes.ts';
import { testActing } from '../../test/acting.ts';
import { startKeyStoreApp, type TestKeyStore } from '../../test/apps/key-store-app.ts';
import type { TestApp } from '../../test/apps/test-app.ts';
import { testConfig } from '../../test/apps/test-config.ts';
import { scanFiles } from '../../test/data/scan-files.ts';
import { createPhoneUser, workThrough } from '../../test/data/uploads.ts';
import { processPush } from '../sync/process-push.ts';
import { deleteUser } from '../users/delete-user.ts';
import { eraseUser } from '../users/erase-user.ts';

const run = promisify(execFile);

let folder: string;
let engines: RunningEngines;
let app: TestApp & { keyStore: TestKeyStore };
const resources = new AsyncDisposableStack();

/** A cluster of its own for the main database. The key store is in another cluster, so no backup of the first contains it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tributary-backup-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755); // the system user of PostgreSQL has to enter it
  engines = resources.use(await startEngines({ dir: join(folder, 'main') }));
  app = resources.use(await startKeyStoreApp(async () => ({ DATABASE_URL: engines.databaseUrl })));
});
afterAll(() => resources.disposeAsync());

/** Text that appears nowhere else, and that compression leaves as it is. */
const canary = () => `canary-${randomBytes(24).toString('hex')}`;

/** Uploads a batch with a canary in a field that only the raw payload keeps. Returns what a reader of the disk would find if it were not encrypted. */
async function uploadCanary(accessToken: string) {
  const text = canary();
  const body = JSON.stringify({
    batch_id: randomUUID(),
    device: { provider: 'apple_health', kind: 'watch', id: 'scale' },
    records: [{ metric: 'weight', start: '2026-03-01T08:00:00Z', value: 61.5 }],
    note: text,
  });
  const response = await app.request('POST', '/v1/sdk/batches', { key: accessToken, rawBody: body });
  expect(response.status).toBe(202);
  return { text, needles: needlesOf(text, body) };
}

/** The canary in plain, and a part of the compressed text as the service would store it. */
function needlesOf(text: string, body: string): Buffer[] {
  const compressed = zstdCompressSync(body);
  return [Buffer.from(text), compressed.subarray(12, compressed.length - 4)];
}

async function backUp(name: string): Promise<string> {
  const { hostname, port, password } = new URL(engines.adminDatabaseUrl);
  const target = join(folder, name, 'postgres');
  await mkdir(join(folder, name));
  await chmod(join(folder, name), 0o755);
  const args = ['-h', hostname, '-p', port, '-U', 'postgres', '-D', target, '-X', 'stream', '-c', 'fast'];
  await run('pg_basebackup', args, { env: { ...process.env, PGPASSWORD: password } });
  return target;
}

test(
  'an erased user has no readable raw payload in a base backup taken before, given the key store after',
  { timeout: 300_000 },
  async () => {
    const [erased, remaining, control] = [
      await createPhoneUser(app),
      await createPhoneUser(app),
      await createPhoneUser(app),
    ];
    const processed = await uploadCanary(erased.accessToken);
    const others = await uploadCanary(remaining.accessToken);
    await workThrough(app);
    const pending = await uploadCanary(erased.accessToken);
    const pushText = canary();
    const pushBody = JSON.stringify({ note: pushText });
    const { confirm: _, ...push } = await app.ctx.rawPayloads.encryptPush(zstdCompressSync(pushBody));
    await insertPush(app.ctx.db, { environment: 'sandbox', provider: 'garmin', headers: {}, ...push });
    // As a node of the previous release would store it: proves that the scan finds what is not encrypted.
    const admin = new pg.Pool({
      connectionString: Object.assign(new URL(engines.adminDatabaseUrl), { pathname: '/tributary' }).href,
    });
    resources.defer(() => admin.end());
    const controlText = canary();
    const controlBody = JSON.stringify({ note: controlText });
    await admin.query(
      `INSERT INTO raw_batches (user_id, batch_id, received_at, created_at, scopes, digest, payload)
       VALUES ($1, gen_random_uuid(), now(), now(), 0, '', $2)`,
      [control.uuid, zstdCompressSync(controlBody)],
    );

    const backup = await backUp('restored');
    await processPush(app.ctx);
    await deleteUser(app.ctx, testActing({ accountId: app.account.uuid, environment: 'live' }), erased.uuid);
    expect(await eraseUser(app.ctx, erased.uuid)).toMatchObject({ raw_batches: 2 });

    const needles = [...processed.needles, ...pending.needles, ...needlesOf(pushText, pushBody)];
    const scan = await scanFiles(backup, needles);
    expect(scan.hits).toBe(0);
    expect(scan.bytes).toBeGreaterThan(10_000_000);
    expect((await scanFiles(backup, needlesOf(controlText, controlBody))).hits).toBeGreaterThan(0);

    await copyFile(join(folder, 'main', 'engines.json'), join(folder, 'restored', 'engines.json'));
    if (process.getuid?.() === 0) await run('chown', ['-R', 'postgres:', backup]);
    await using restored = await startEngines({ dir: join(folder, 'restored') });
    const config = testConfig({
      DATABASE_URL: restored.databaseUrl,
      KEY_STORE_URL: app.keyStore.url,
      NATS_URL: restored.natsUrl,
    });
    await using ctx = await createContext(config, 'cli', createLog(config, 'cli'));
    const stored = await ctx.operator.query<{ userId: string; batchId: string; payload: Buffer }>(
      `SELECT user_id AS "userId", batch_id AS "batchId", payload FROM raw_batches WHERE user_id = ANY ($1::uuid[])`,
      [[erased.uuid, remaining.uuid]],
    );
    const decrypt = await ctx.rawPayloads.readKeys(stored.rows);
    const readable = stored.rows.filter((batch) => {
      try {
        return decrypt(batch).length > 0;
      } catch {
        return false;
      }
    });
    expect(stored.rows).toHaveLength(3);
    expect(readable.map(({ userId }) => userId)).toEqual([remaining.uuid]);
    expect(zstdDecompressSync(decrypt(readable[0]!)).toString()).toContain(others.text);
    const pushes = await ctx.operator.query<{ keyId: string; body: Buffer }>(
      'SELECT key_id AS "keyId", body FROM provider_pushes',
    );
    expect(pushes.rows).toHaveLength(1);
    expect(await ctx.rawPayloads.decryptPush(pushes.rows[0]!)).toBeNull();
  },
);
