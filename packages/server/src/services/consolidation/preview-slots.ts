import { ApiError } from '@tributary/contract';

/** A preview of a year occupies a connection and the CPU for a second. More at once would slow down other requests. */
const mostAtOnce = 2;
const mostWaiting = 20;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs `work` when a slot is free. Throws `unavailable` if too many callers are waiting. */
export async function withSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= mostAtOnce) {
    if (waiting.length >= mostWaiting) throw new ApiError('unavailable', { retryAfterSeconds: 2 });
    // A finished call passes its slot on directly, so that no other caller can take it.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
