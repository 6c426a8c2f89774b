/** Waits, or rejects with the reason of the signal. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

const firstDelayMs = 1_000;
const mostDelayMs = 30_000;

/** Exponential backoff with full jitter: any time up to one second, then up to two, and so on up to 30. */
export function backoff(failures: number, mostMs = mostDelayMs): number {
  return Math.random() * Math.min(mostMs, firstDelayMs * 2 ** Math.min(failures, 16));
}
