import { ApiError } from '@tributary/contract';

/** A year's preview keeps a connection and the processor busy for a second: more at once would slow down everyone else. */
const mostAtOnce = 2;
const mostWaiting = 20;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs `work` when its turn has come; throws `unavailable` when too many wait already. */
export async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= mostAtOnce) {
    if (waiting.length >= mostWaiting) throw new ApiError('unavailable', { retryAfterSeconds: 2 });
    // Whoever ends hands its place over, so that nobody else takes it in between.
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
