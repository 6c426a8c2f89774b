import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from './ports/ports.ts';
import type { StackInfo } from './service/stack-info.ts';

const CLI = fileURLToPath(new URL('cli.ts', import.meta.url));

let cwd: string;
let temporary: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'tributary-cli-'));
  chmodSync(cwd, 0o755);
  temporary = join(cwd, 'temporary');
  mkdirSync(temporary, { mode: 0o755 });
});
afterAll(() => rmSync(cwd, { recursive: true }));

function run(...args: string[]) {
  const { DATABASE_URL: _d, NATS_URL: _n, REDIS_URL: _r, LAB_URL: _l, ...env } = process.env;
  env['TMPDIR'] = temporary;
  const child = spawn(process.execPath, [CLI, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const ended = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]) => ({
      code: code as number,
      stdout,
      stderr,
    }),
  );
  return { child, ended };
}

async function runUntilReady(...args: string[]) {
  const { child, ended } = run('--json', ...args);
  let printed = '';
  child.stdout.on('data', (data) => (printed += String(data)));
  const ready = new Promise<StackInfo>((resolve, reject) => {
    child.stdout.on('data', () => printed.includes('\n') && resolve(JSON.parse(printed) as StackInfo));
    void ended.then(({ stderr }) => reject(new Error(stderr)));
  });
  return { child, ended, info: await ready };
}

function expectAllStopped({ pids }: StackInfo): void {
  for (const pid of Object.values(pids)) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
}

describe('invalid invocations', () => {
  test('exits with code 2 for an unknown flag', async () => {
    expect(await run('--fast').ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--fast') });
  });

  test('exits with code 1 for a port in use, leaving nothing behind', async () => {
    const port = await freePort();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const { code, stdout, stderr } = await run('--dir', 'taken', '--port', String(port)).ended;
    server.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use`);
    expect(existsSync(join(cwd, 'taken'))).toBe(false);
  });
});

describe('--ephemeral --json', { timeout: 120_000 }, () => {
  test('serves requests, and leaves no process and no folder after SIGTERM', async () => {
    const { child, ended, info } = await runUntilReady('--ephemeral');
    expect((await fetch(`${info.base_url}/readyz`)).status).toBe(200);
    expect((await fetch(info.metrics_url)).status).toBe(200);
    const users = await fetch(`${info.base_url}/v1/users`, {
      headers: { authorization: `Bearer ${info.sandbox_key}` },
    });
    expect(users.status).toBe(200);
    expect(Object.keys(info.pids)).toEqual(['stack', 'postgres', 'nats', 'redis', 'lab', 'node-1']);

    const begin = performance.now();
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect(performance.now() - begin).toBeLessThan(10_000);
    expect(code).toBe(0);
    expect(stdout).toBe(`${JSON.stringify(info)}\n`);
    expectAllStopped(info);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('stops everything when one process exits, and names it', async () => {
    const { ended, info } = await runUntilReady('--ephemeral');
    process.kill(info.pids['redis'] ?? 0, 'SIGKILL');
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).toContain('redis exited unexpectedly (signal SIGKILL)');
    expectAllStopped(info);
  });

  test('leaves nothing behind even when it is killed itself', async () => {
    const { child, info } = await runUntilReady('--ephemeral');
    child.kill('SIGKILL');
    await expect.poll(() => readdirSync(temporary), { timeout: 10_000 }).toEqual([]);
    await vi.waitFor(() => expectAllStopped(info), { timeout: 10_000 });
  });
});

describe('in a folder', { timeout: 180_000 }, () => {
  test('prints the same keys on the next start, and refuses to run a second stack in the folder', async () => {
    const place = ['--dir', 'kept', '--port', String(await freePort())];
    const first = await runUntilReady(...place);
    const second = await run(...place).ended;
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`already running in ${join(cwd, 'kept')}: ${first.info.base_url}`);
    first.child.kill('SIGINT');
    await first.ended;
    // An account of an older stack had no organization name and no redirect URL.
    const demo = join(cwd, 'kept', 'demo.json');
    const { organization, redirect_url, ...older } = JSON.parse(readFileSync(demo, 'utf8'));
    expect({ organization, redirect_url }).toEqual({
      organization: 'Demo Health',
      redirect_url: 'http://localhost:3000/connected',
    });
    writeFileSync(demo, JSON.stringify(older));

    const again = await runUntilReady(...place, '--nodes', '2');
    expect(again.info.live_key).toBe(first.info.live_key);
    expect(again.info.base_urls).toHaveLength(2);
    expect(JSON.parse(readFileSync(demo, 'utf8'))).toEqual({ ...older, organization, redirect_url });
    expect(again.info.lab_url).toBe(first.info.lab_url);
    expect(again.info.mail_url).toBe(first.info.mail_url);
    const named = [
      'stack',
      'postgres',
      'nats',
      'redis',
      'lab',
      'node-1',
      'node-2',
      'ingest',
      'jobs',
      'keeper',
    ];
    expect(Object.keys(again.info.pids)).toEqual(named);
    again.child.kill('SIGTERM');
    expect((await again.ended).code).toBe(0);
    expectAllStopped(again.info);
  });
});

test(
  'stops with npm: a signal to `npm run stack` reaches the stack itself',
  { timeout: 120_000 },
  async () => {
    const root = fileURLToPath(new URL('../../..', import.meta.url));
    const child = spawn('npm', ['run', '--silent', 'stack', '--', '--ephemeral', '--json'], {
      cwd: root,
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const info = JSON.parse(String(line)) as StackInfo;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    expectAllStopped(info);
  },
);
