import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startEngines, type RunningEngines } from '@tributary/stack';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContext } from '../../create-context.ts';
import { createLog } from '../../log.ts';
import { migrateAll } from '../../migrate.ts';
import { countRows } from '../../store/database/row-counts.ts';
import { testActing } from '../../test/acting.ts';
import { startTestApp, type TestApp } from '../../test/apps/test-app.ts';
import { testConfig } from '../../test/apps/test-config.ts';
import { chainAudit } from '../../test/chain-audit.ts';
import { createPhoneUser, workThrough } from '../../test/data/uploads.ts';
import { createTestWebhook } from '../../test/webhooks.ts';
import { deleteUser } from '../users/delete-user.ts';
import { eraseUser } from '../users/erase-user.ts';
import { isSound, verifyBackup } from './verify-backup.ts';

const run = promisify(execFile);
const resources = new AsyncDisposableStack();
const weight = { records: [{ metric: 'weight', start: '2026-03-01T08:00:00Z', value: 61.5 }] };
const otherKeys = `1:${Buffer.alloc(32, 9).toString('base64')}`;
let folder: string;
let engines: RunningEngines;
let app: TestApp;

/** A cluster of its own, which is restored elsewhere. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tributary-restore-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755); // the system user of PostgreSQL has to enter it
  engines = resources.use(await startEngines({ dir: join(folder, 'main') }));
  const settings = { DATABASE_URL: engines.databaseUrl };
  app = resources.use(
    await startTestApp({}, undefined, async () => {
      await migrateAll(testConfig(settings));
      return settings;
    }),
  );
});
afterAll(() => resources.disposeAsync());

function superuserOf({ adminDatabaseUrl }: RunningEngines): pg.Pool {
  const url = Object.assign(new URL(adminDatabaseUrl), { pathname: '/tributary' });
  const pool = new pg.Pool({ connectionString: url.href, max: 1 });
  resources.defer(() => pool.end());
  return pool;
}

/** Starts a tool of PostgreSQL as superuser of the main cluster. */
function replicationOf(): { args: string[]; env: NodeJS.ProcessEnv } {
  const { hostname, port, password } = new URL(engines.adminDatabaseUrl);
  return {
    args: ['-h', hostname, '-p', port, '-U', 'postgres'],
    env: { ...process.env, PGPASSWORD: password },
  };
}

/** Copies the write-ahead log as it is written. */
async function archiveLog(target: string): Promise<void> {
  await mkdir(target);
  const { args, env } = replicationOf();
  const receiver = spawn('pg_receivewal', [...args, '-D', target], { env, stdio: 'ignore' });
  resources.defer(async () => {
    receiver.kill('SIGINT');
    if (receiver.exitCode === null) await once(receiver, 'exit');
  });
  await expect.poll(() => readdir(target), { timeout: 20_000 }).not.toEqual([]);
}

async function restore(backup: string, log: string, targetTime: string): Promise<RunningEngines> {
  await appendFile(
    join(backup, 'postgresql.auto.conf'),
    `restore_command = 'cp "${log}/%f" "%p"'\nrecovery_target_time = '${targetTime}'\nrecovery_target_action = 'promote'\n`,
  );
  await writeFile(join(backup, 'recovery.signal'), '');
  await copyFile(join(folder, 'main', 'engines.json'), join(folder, 'restored', 'engines.json'));
  if (process.getuid?.() === 0) await run('chown', ['-R', 'postgres:', backup, log]);
  return resources.use(await startEngines({ dir: join(folder, 'restored') }));
}

async function openRestored(restored: RunningEngines, settings: Record<string, string> = {}) {
  const config = testConfig({ DATABASE_URL: restored.databaseUrl, NATS_URL: restored.natsUrl, ...settings });
  return resources.use(await createContext(config, 'cli', createLog(config, 'cli')));
}

test(
  'a base backup and the log, restored to a point in time, have every row of it, and all of them are readable',
  { timeout: 300_000 },
  async () => {
    const admin = superuserOf(engines);
    const log = join(folder, 'log');
    const backup = join(folder, 'restored', 'postgres');
    const [before, erased] = [await createPhoneUser(app), await createPhoneUser(app)];
    await before.upload({ id: 'scale' }, weight);
    await createTestWebhook(app);

    await archiveLog(log);
    await mkdir(join(folder, 'restored'));
    await chmod(join(folder, 'restored'), 0o755);
    const { args, env } = replicationOf();
    await run('pg_basebackup', [...args, '-D', backup, '-X', 'stream', '-c', 'fast'], { env });

    // Only the log has this.
    const after = await createPhoneUser(app);
    await after.upload({ id: 'scale' }, weight);
    await erased.upload({ id: 'scale' }, weight);
    await workThrough(app);
    await deleteUser(app.ctx, testActing({ accountId: app.account.uuid, environment: 'live' }), erased.uuid);
    await eraseUser(app.ctx, erased.uuid);
    await chainAudit(app);
    // Access records and usage are written within a second.
    await sleep(2_000);
    const expected = await countRows(app.ctx.operator);
    const { rows } = await admin.query<{ at: string }>('SELECT now()::text AS at');

    await sleep(1_000);
    await admin.query('DELETE FROM raw_batches; DELETE FROM raw_keys; DELETE FROM users');
    const segment = await admin.query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name');
    await expect.poll(() => readdir(log), { timeout: 20_000 }).toContain(segment.rows[0]!.name);

    const restored = await restore(backup, log, rows[0]!.at);
    const copy = superuserOf(restored);
    await expect
      .poll(async () => (await copy.query('SELECT pg_is_in_recovery() AS yes')).rows[0], { timeout: 60_000 })
      .toEqual({ yes: false });
    const ctx = await openRestored(restored);

    const report = await verifyBackup(ctx, expected);
    expect(report.differences).toEqual([]);
    expect(report.payloads).toEqual({ readable: 2, unreadable: 0, erased: 0 });
    expect(report.sealed).toMatchObject({
      webhook_secrets: { readable: 1, unreadable: 0 },
      raw_keys: { readable: 2, unreadable: 0 },
    });
    expect(report.sealed.signing_keys.readable).toBeGreaterThan(0);
    expect(report.audit.problemCount).toBe(0);
    expect(report.counts.find(({ table }) => table === 'raw_batches')).toEqual({
      table: 'raw_batches',
      rows: 2,
    });
    expect(isSound(report)).toBe(true);

    // Without the right keys, everything that is sealed is unreadable.
    const locked = await verifyBackup(await openRestored(restored, { ENCRYPTION_KEYS: otherKeys }), expected);
    expect(locked.payloads).toEqual({ readable: 0, unreadable: 2, erased: 0 });
    expect(locked.sealed.webhook_secrets).toEqual({ readable: 0, unreadable: 1 });
    expect(isSound(locked)).toBe(false);

    // Damage of each kind is found.
    await copy.query(
      `UPDATE raw_batches SET payload = set_byte(payload, octet_length(payload) - 1, get_byte(payload, octet_length(payload) - 1) # 1) WHERE user_id = $1`,
      [before.uuid],
    );
    await copy.query('DELETE FROM devices WHERE user_id = $1', [before.uuid]);
    // A trigger rejects changes of the audit log.
    await copy.query(
      'SET session_replication_role = replica; DELETE FROM audit_log WHERE position = 1; RESET session_replication_role',
    );
    const damaged = await verifyBackup(ctx, expected);
    expect(damaged.payloads).toEqual({ readable: 1, unreadable: 1, erased: 0 });
    expect(damaged.differences.map(({ table }) => table)).toEqual(
      expect.arrayContaining(['audit_log', 'devices']),
    );
    expect(damaged.audit.problemCount).toBeGreaterThan(0);

    // A payload whose user was erased in a newer key store is not damage.
    await copy.query('UPDATE raw_keys SET sealed = NULL, destroyed_at = now() WHERE user_id = $1', [
      after.uuid,
    ]);
    expect((await verifyBackup(await openRestored(restored), null)).payloads).toEqual({
      readable: 0,
      unreadable: 1,
      erased: 1,
    });
  },
);
