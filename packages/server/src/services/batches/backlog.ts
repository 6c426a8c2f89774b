import { ApiError } from '@tributary/contract';
import type { Loop } from '../../loops.ts';

const pollIntervalMs = 200;

/** Tracks how many batches wait to be processed. Above the limit, uploads are rejected instead of increasing the lag. */
export class Backlog implements Disposable {
  readonly #limit: number;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #loop: Loop | null;
  #waiting = 0;

  /** Polls only on nodes that accept uploads, which pass a loop. */
  constructor(countWaiting: (upTo: number) => Promise<number>, limit: number, loop: Loop | null) {
    this.#limit = limit;
    this.#loop = loop;
    if (!loop) return;
    let asking = false;
    const poll = async () => {
      if (asking) return;
      asking = true;
      // If the database is unavailable, uploads fail on their own.
      this.#waiting = await countWaiting(limit + 1).then(
        (waiting) => {
          loop.beat();
          return waiting;
        },
        () => 0,
      );
      asking = false;
    };
    this.#timer = setInterval(() => void poll(), pollIntervalMs);
    this.#timer.unref();
  }

  /** Throws `unavailable` while the backlog exceeds the limit. */
  refuseWhenFull(): void {
    if (this.#waiting > this.#limit) throw new ApiError('unavailable', { retryAfterSeconds: 1 });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#loop?.[Symbol.dispose]();
  }
}
