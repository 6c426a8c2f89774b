import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Supervision, UnexpectedExit } from '../processes/child.ts';
import { startGuard } from '../processes/guard.ts';
import { rotateLogs } from '../processes/log-file.ts';
import { identify } from '../processes/process-table.ts';
import { createService, type Service, type ServiceOptions } from './service.ts';

let supervision: Supervision;
let exits: UnexpectedExit[];
let hurry: AbortController;
let giveUp: AbortController;
let service: Service;

beforeEach(() => {
  const dir = mkdtempSync(join(tmpdir(), 'tributary-service-'));
  rotateLogs(dir);
  exits = [];
  hurry = new AbortController();
  giveUp = new AbortController();
  supervision = {
    dir,
    guard: startGuard(),
    signal: giveUp.signal,
    hurry: hurry.signal,
    onUnexpectedExit: (exit) => exits.push(exit),
  };
});
afterEach(async () => {
  await service.stop();
  await supervision.guard[Symbol.asyncDispose]();
  rmSync(supervision.dir, { recursive: true });
});

function shell(script: string, options: Partial<ServiceOptions> = {}): Service {
  const ready = join(supervision.dir, 'ready');
  service = createService(supervision, {
    launch: { name: 'shell', command: '/bin/sh', args: ['-c', script], env: { PATH: process.env['PATH'] } },
    isReady: async () => existsSync(ready),
    readyTimeoutMs: 5000,
    graceMs: 5000,
    ...options,
  });
  return service;
}

describe('start', () => {
  test('waits until it is ready, and does nothing while it runs', async () => {
    await shell('sleep 0.2; : > ready; exec sleep 60').start();
    const { pid } = service;
    await service.start();
    expect(service.pid).toBe(pid);
  });

  test('fails with the last lines of the log when the process exits', async () => {
    await expect(shell('echo no such setting >&2; exit 3').start()).rejects.toThrow(
      /shell did not start \(exit code 3\)[^]*shell\.log:\n {2}no such setting/,
    );
    expect(exits).toEqual([]);
  });

  test('fails when it never becomes ready', async () => {
    await expect(shell('exec sleep 60', { readyTimeoutMs: 200 }).start()).rejects.toThrow(
      'not ready after 0.2 s',
    );
  });

  test('fails for a program that does not exist', async () => {
    const launch = { name: 'shell', command: '/no/such/program', args: [], env: {} };
    await expect(shell('', { launch }).start()).rejects.toThrow('shell failed to start');
  });

  test('retries after a temporary failure', async () => {
    const script = 'if [ -e tried ]; then : > ready; exec sleep 60; fi; : > tried; echo still in use; exit 1';
    await shell(script, { isPassing: (lines) => lines.includes('still in use') }).start();
    expect(service.pid).toBeDefined();
  });

  test('spawns nothing after the start was canceled', async () => {
    giveUp.abort(new Error('enough'));
    await expect(shell(': > ready; exec sleep 60').start()).rejects.toThrow('enough');
    expect(existsSync(join(supervision.dir, 'ready'))).toBe(false);
  });
});

describe('end', () => {
  test('is reported with the log if it was unexpected', async () => {
    await shell(': > ready; echo last words; exec sleep 60').start();
    process.kill(service.pid ?? 0, 'SIGKILL');
    await expect
      .poll(() => exits)
      .toMatchObject([{ name: 'shell', reason: 'signal SIGKILL', lastLines: 'last words' }]);
  });

  test('by stop or signal is expected, and it starts again', async () => {
    await shell(': > ready; exec sleep 60').start();
    const first = service.pid;
    service.signal('SIGKILL');
    await service.start();
    expect(service.pid).not.toBe(first);
    await service.stop();
    expect(service.pid).toBeUndefined();
    expect(() => service.signal('SIGTERM')).toThrow('shell is not running.');
    expect(exits).toEqual([]);
  });

  test('is forced after the grace period, for children too', async () => {
    const child = 'trap "" TERM; echo $$; while :; do sleep 1; done';
    await shell(`trap "" TERM; sh -c '${child}' & : > ready; wait`, { graceMs: 300 }).start();
    const log = join(supervision.dir, 'logs/shell.log');
    await expect.poll(() => readFileSync(log, 'utf8')).toMatch(/^\d+\n$/);
    const pids = [service.pid ?? 0, Number(readFileSync(log, 'utf8'))];
    expect(pids.map(identify)).not.toContain(undefined);
    await service.stop();
    await expect.poll(() => pids.map(identify), { timeout: 3000 }).toEqual([undefined, undefined]);
  });

  test('is graceful even while paused', async () => {
    await shell('trap "exit 0" TERM; : > ready; while :; do sleep 0.1; done').start();
    service.signal('SIGSTOP');
    const begin = performance.now();
    await service.stop();
    expect(performance.now() - begin).toBeLessThan(2000);
  });

  test('is immediate when hurried', async () => {
    await shell('trap "" TERM; : > ready; while :; do sleep 1; done').start();
    const begin = performance.now();
    const stopped = service.stop();
    hurry.abort();
    await stopped;
    expect(performance.now() - begin).toBeLessThan(2000);
  });
});
