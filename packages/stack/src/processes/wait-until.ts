import { setTimeout as sleep } from 'node:timers/promises';

interface WaitOptions {
  timeoutMs: number;
  intervalMs?: number;
  signal?: AbortSignal;
}

/** Repeats a check until it holds. Returns false on timeout. */
export async function waitUntil(
  check: () => boolean | Promise<boolean>,
  { timeoutMs, intervalMs = 50, signal }: WaitOptions,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    if (await check()) return true;
    if (performance.now() >= deadline) return false;
    await sleep(intervalMs);
  }
}
