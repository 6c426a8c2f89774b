import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBinaries } from './binaries.ts';
import { startEngines, type RunningEngines } from './engines.ts';
import { probe } from './probe.ts';
import { descendantsOf } from '../processes/process-table.ts';

const dir = mkdtempSync(join(tmpdir(), 'tributary-engines-'));
let engines: RunningEngines;
beforeAll(async () => {
  engines = await startEngines({ dir });
}, 60_000);
afterAll(async () => {
  await engines.stop();
  rmSync(dir, { recursive: true });
});

async function query(url: string, sql: string): Promise<string> {
  const psql = findBinaries().postgres?.psql ?? 'psql';
  const { stdout } = await promisify(execFile)(psql, ['-XAtq', '-v', 'ON_ERROR_STOP=1', '-c', sql, url]);
  return stdout.trim();
}

// Sends one request to JetStream in the NATS wire protocol, so that this package needs no client.
function requestNats(port: number, subject: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const socket = createConnection({ port, host: '127.0.0.1', timeout: 5000 });
    socket.write(
      `CONNECT {"verbose":false}\r\nSUB reply 1\r\nPUB ${subject} reply ${body.length}\r\n${body}\r\n`,
    );
    socket.on('data', (data) => {
      output += data.toString();
      const reply = /MSG reply 1 +\d+\r\n([^]+)\r\n/.exec(output)?.[1];
      if (reply === undefined) return;
      socket.destroy();
      resolve(reply);
    });
    socket.on('error', reject);
    socket.on('timeout', () => reject(new Error(`no response from NATS: ${output}`)));
  });
}

describe('postgres', () => {
  test('gives the service a database of its own, without superuser rights', async () => {
    expect(await query(engines.databaseUrl, 'SELECT current_user, current_database()')).toBe(
      'tributary|tributary',
    );
    const role = "SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = 'tributary'";
    expect(await query(engines.adminDatabaseUrl, role)).toBe('f|t');
    const owner =
      "SELECT pg_get_userbyid(datdba), pg_encoding_to_char(encoding) FROM pg_database WHERE datname = 'tributary'";
    expect(await query(engines.adminDatabaseUrl, owner)).toBe('tributary|UTF8');
  });

  test('listens only on loopback, requires a password, and is durable', async () => {
    const settings = await query(
      engines.adminDatabaseUrl,
      `SELECT string_agg(name || '=' || setting, ' ' ORDER BY name) FROM pg_settings WHERE name IN
       ('listen_addresses', 'unix_socket_directories', 'fsync', 'full_page_writes', 'synchronous_commit')`,
    );
    expect(settings).toBe(
      'fsync=on full_page_writes=on listen_addresses=127.0.0.1 synchronous_commit=on unix_socket_directories=',
    );
    const wrong = engines.databaseUrl.replace(/:[0-9a-f]{48}@/, ':guess@');
    await expect(query(wrong, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  test('keeps committed data after kill -9', { timeout: 60_000 }, async () => {
    await query(engines.databaseUrl, 'CREATE TABLE kept AS SELECT 42 AS number');
    const { pid } = engines.postgres;
    engines.postgres.signal('SIGKILL');
    await engines.postgres.start();
    expect(engines.postgres.pid).not.toBe(pid);
    expect(await query(engines.databaseUrl, 'SELECT number FROM kept')).toBe('42');
  });

  test('pauses with all its backends on SIGSTOP', { timeout: 30_000 }, async () => {
    const slow = query(engines.databaseUrl, "SELECT pg_sleep(0.3), 'done'");
    await expect.poll(() => descendantsOf(engines.postgres.pid ?? 0).length).toBeGreaterThan(5);
    engines.postgres.signal('SIGSTOP');
    const first = await Promise.race([slow, new Promise((resolve) => setTimeout(resolve, 1500, 'waiting'))]);
    expect(first).toBe('waiting');
    engines.postgres.signal('SIGCONT');
    expect(await slow).toContain('done');
  });
});

describe('nats', () => {
  test('keeps a stream after kill -9, and loses it when wiped', { timeout: 60_000 }, async () => {
    const { nats } = engines;
    const stream = '{"name":"T","subjects":["t.*"],"storage":"file"}';
    expect(await requestNats(nats.port, '$JS.API.STREAM.CREATE.T', stream)).toContain('"did_create":true');
    expect(await requestNats(nats.port, 't.one', 'hello')).toContain('"seq":1');

    nats.signal('SIGKILL');
    await nats.start();
    expect(await requestNats(nats.port, '$JS.API.STREAM.INFO.T', '')).toContain('"messages":1');

    await expect(nats.wipe()).rejects.toThrow('Stop nats');
    await nats.stop();
    await nats.wipe();
    await nats.start();
    expect(await requestNats(nats.port, '$JS.API.STREAM.INFO.T', '')).toContain('stream not found');
  });
});

describe('redis', () => {
  test('responds, pauses on SIGSTOP, and restarts empty', { timeout: 30_000 }, async () => {
    const { redis } = engines;
    expect(await probe(redis.port, 'SET k v\r\n', '+OK')).toBe(true);
    redis.signal('SIGSTOP');
    expect(await probe(redis.port, 'PING\r\n', '+PONG')).toBe(false);
    redis.signal('SIGCONT');
    expect(await probe(redis.port, 'GET k\r\n', '$1\r\nv')).toBe(true);
    redis.signal('SIGKILL');
    await redis.start();
    expect(await probe(redis.port, 'GET k\r\n', '$-1')).toBe(true);
  });
});

describe('startEngines', () => {
  test(
    'finds its data again in the same folder, and leaves no process when stopped',
    { timeout: 60_000 },
    async () => {
      await query(engines.databaseUrl, 'CREATE TABLE again AS SELECT 1');
      const parts = [engines.postgres, engines.nats, engines.redis];
      const pids = parts.flatMap(({ pid }) => (pid === undefined ? [] : [pid, ...descendantsOf(pid)]));
      expect(pids.length).toBeGreaterThan(5);
      await engines.stop();
      for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');

      engines = await startEngines({ dir });
      expect(await query(engines.databaseUrl, 'SELECT count(*) FROM again')).toBe('1');
    },
  );

  test.runIf(process.getuid?.() === 0)(
    'also works as root in a private folder',
    { timeout: 60_000 },
    async () => {
      const closed = mkdtempSync(join(tmpdir(), 'tributary-engines-'));
      const place = join(closed, 'stack');
      {
        await using own = await startEngines({ dir: place });
        expect(await query(own.databaseUrl, 'SELECT 1')).toBe('1');
      }
      rmSync(dirname(readlinkSync(join(place, 'postgres'))), { recursive: true });
      rmSync(closed, { recursive: true });
    },
  );

  test('stops the other engines when one fails, and reports why', { timeout: 60_000 }, async () => {
    const other = mkdtempSync(join(tmpdir(), 'tributary-engines-'));
    const usedPorts = { postgres: engines.postgres.port, nats: 1, redis: engines.redis.port };
    await expect(startEngines({ dir: other, ports: usedPorts })).rejects.toThrow(
      /(redis|nats|postgres) did not start/,
    );
    expect(existsSync(join(other, 'postgres/postmaster.pid'))).toBe(false);
    rmSync(other, { recursive: true });
  });
});
