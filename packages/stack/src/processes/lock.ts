import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StackError } from '../errors.ts';
import type { Guard } from './guard.ts';
import { identify, isAlive } from './process-table.ts';
import { waitUntil } from './wait-until.ts';

interface LockHolder {
  pid: number;
  started: string;
}

interface LockContent {
  base_url: string;
  stack: LockHolder;
  guard: LockHolder | null;
}

function lockFile(dir: string): string {
  return join(dir, 'stack.lock');
}

/** Fails if a stack runs in this folder. Waits for the guard of a killed stack to clean up. */
export async function assertNotRunning(dir: string): Promise<void> {
  const lock = await readLock(dir);
  if (lock !== null && isAlive(lock.stack)) throw new StackError(runningMessage(dir, lock));
  const guard = lock?.guard ?? null;
  if (guard !== null) await waitUntil(() => !isAlive(guard), { timeoutMs: 10_000 });
  await rm(lockFile(dir), { force: true });
}

/** Locks the folder until disposed. */
export async function takeLock(dir: string, baseUrl: string, guard: Guard): Promise<AsyncDisposable> {
  const stack = identify(process.pid);
  if (stack === undefined) throw new Error('the process table does not list this process');
  const guardEntry = guard.pid === undefined ? undefined : identify(guard.pid);
  const content: LockContent = { base_url: baseUrl, stack, guard: guardEntry ?? null };
  const aside = `${lockFile(dir)}.${process.pid}`;
  try {
    await writeFile(aside, `${JSON.stringify(content)}\n`, { mode: 0o600 });
    // Unlike a rename, a link fails if another process was faster, and it is never seen half-written.
    await link(aside, lockFile(dir));
  } catch (cause) {
    throw new StackError(`Another stack is starting in ${dir}.`, { cause });
  } finally {
    await rm(aside, { force: true });
  }
  guard.removeAtEnd(lockFile(dir));
  return {
    async [Symbol.asyncDispose]() {
      await rm(lockFile(dir), { force: true });
      guard.removeAtEnd(null);
    },
  };
}

function runningMessage(dir: string, { base_url, stack }: LockContent): string {
  return [
    `Tributary is already running in ${dir}: ${base_url} (process ${stack.pid}).`,
    '',
    'Options:',
    `  kill ${stack.pid}`.padEnd(26) + 'stop it',
    '  --dir PATH --port N'.padEnd(26) + 'start a second stack alongside it',
    '  --ephemeral'.padEnd(26) + 'start a temporary stack on free ports',
  ].join('\n');
}

async function readLock(dir: string): Promise<LockContent | null> {
  try {
    // Only this file writes the lock, and an unreadable one counts as stale.
    return JSON.parse(await readFile(lockFile(dir), 'utf8')) as LockContent;
  } catch {
    return null;
  }
}
