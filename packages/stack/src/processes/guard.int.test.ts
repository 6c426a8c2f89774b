import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startGuard } from './guard.ts';

function startSleeper(script = 'exec sleep 60') {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore' });
  return { pid: child.pid ?? 0, exited: once(child, 'exit') };
}

test('kills the processes it watches, paused or not, and removes the folder when its input ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary guard '));
  const redis = startSleeper();
  const postgres = startSleeper(`trap "exit 7" INT; : > '${folder}/ready'; while :; do sleep 0.1; done`);
  await expect.poll(() => existsSync(join(folder, 'ready'))).toBe(true);
  process.kill(postgres.pid, 'SIGSTOP');
  const guard = startGuard();
  guard.watch(redis.pid, 'SIGTERM');
  guard.watch(postgres.pid, 'SIGINT');
  guard.removeAtEnd(folder);
  await guard[Symbol.asyncDispose]();
  expect(await redis.exited).toEqual([null, 'SIGTERM']);
  expect(await postgres.exited).toEqual([7, null]);
  expect(existsSync(folder)).toBe(false);
});

test('kills processes that ignore the signal', { timeout: 15_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-guard-'));
  const deaf = startSleeper(`trap "" TERM; : > ${folder}/deaf; while :; do sleep 1; done`);
  await expect.poll(() => existsSync(join(folder, 'deaf'))).toBe(true);
  const guard = startGuard();
  guard.watch(deaf.pid, 'SIGTERM');
  guard.removeAtEnd(folder);
  await guard[Symbol.asyncDispose]();
  expect(await deaf.exited).toEqual([null, 'SIGKILL']);
});

test('does not touch forgotten processes and kept folders', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-guard-'));
  const sleeper = startSleeper();
  const guard = startGuard();
  guard.watch(sleeper.pid, 'SIGTERM');
  guard.removeAtEnd(folder);
  guard.forget(sleeper.pid, 'SIGTERM');
  guard.removeAtEnd(null);
  await guard[Symbol.asyncDispose]();
  expect(process.kill(sleeper.pid, 0)).toBe(true);
  expect(existsSync(folder)).toBe(true);
  rmSync(folder, { recursive: true });
  process.kill(sleeper.pid, 'SIGKILL');
  expect(await sleeper.exited).toEqual([null, 'SIGKILL']);
});
