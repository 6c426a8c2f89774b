import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PostgresBinaries } from './binaries.ts';
import type { Supervision } from '../processes/child.ts';
import { createService } from '../service/service.ts';
import type { EngineSecrets } from '../service/secrets.ts';
import { postgresUser } from './system-user.ts';
import { engineEnvironment, type Engine } from './engine.ts';
import { ensureCluster, ensureDatabase, locateData } from './postgres-cluster.ts';

// Durability settings keep PostgreSQL's defaults: fsync, full_page_writes and synchronous_commit are on.
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  'shared_buffers=256MB',
  'max_wal_size=2GB',
  'timezone=UTC',
  'log_timezone=UTC',
];

/** PostgreSQL with a database `tributary`, owned by a role of that name. */
export async function createPostgres(
  supervision: Supervision,
  binaries: PostgresBinaries,
  secrets: EngineSecrets,
  port: number,
): Promise<Engine & { adminUrl: string }> {
  const user = postgresUser();
  const data = await locateData(supervision.dir, user);
  const service = createService(supervision, {
    launch: {
      name: 'postgres',
      command: binaries.postgres,
      args: ['-D', data, '-p', String(port), ...SETTINGS.flatMap((setting) => ['-c', setting])],
      env: engineEnvironment(),
      cwd: '/',
      user,
      // Fast shutdown ends sessions and flushes everything to disk. SIGTERM would wait for clients.
      stopSignal: 'SIGINT',
    },
    isReady: (pid) => isPostgresReady(data, pid),
    readyTimeoutMs: 60_000,
    graceMs: 3500,
    // Backends of a killed server take a moment to notice, and hold its shared memory until then.
    isPassing: (lastLines) => lastLines.includes('pre-existing shared memory block'),
  });
  return {
    name: 'postgres',
    url: `postgres://tributary:${secrets.postgres_password}@127.0.0.1:${port}/tributary`,
    adminUrl: `postgres://postgres:${secrets.postgres_admin_password}@127.0.0.1:${port}/postgres`,
    port,
    get pid() {
      return service.pid;
    },
    stop: service.stop,
    signal: service.signal,
    async start() {
      await ensureCluster(supervision, binaries, secrets, { data, user });
      await service.start();
      await ensureDatabase(supervision, binaries, secrets, port);
    },
  };
}

// The server writes its pid to the first line and its state to the eighth.
async function isPostgresReady(data: string, pid: number): Promise<boolean> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}
