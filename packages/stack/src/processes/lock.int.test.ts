import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startGuard } from './guard.ts';
import { assertNotRunning, takeLock } from './lock.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tributary-lock-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('locks a free folder and releases it again', async () => {
  await using guard = startGuard();
  await assertNotRunning(dir);
  const lock = await takeLock(dir, 'http://127.0.0.1:8080', guard);
  await expect(assertNotRunning(dir)).rejects.toThrow(`http://127.0.0.1:8080 (process ${process.pid})`);
  await expect(takeLock(dir, 'http://127.0.0.1:8080', guard)).rejects.toThrow('Another stack is starting');
  await lock[Symbol.asyncDispose]();
  await assertNotRunning(dir);
});

test('ignores the lock of a dead process', async () => {
  await using guard = startGuard();
  await takeLock(dir, 'http://127.0.0.1:8080', guard);
  const file = join(dir, 'stack.lock');
  const content = JSON.parse(readFileSync(file, 'utf8')) as { stack: { started: string } };
  writeFileSync(
    file,
    JSON.stringify({ ...content, stack: { ...content.stack, started: 'long ago' }, guard: null }),
  );
  await assertNotRunning(dir);
  expect(existsSync(file)).toBe(false);
});

test('ignores an unreadable lock', async () => {
  await using guard = startGuard();
  writeFileSync(join(dir, 'stack.lock'), '{');
  await assertNotRunning(dir);
  await using _lock = await takeLock(dir, 'http://127.0.0.1:8080', guard);
});
