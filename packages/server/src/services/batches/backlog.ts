import { ApiError } from '@tributary/contract';

const pollIntervalMs = 200;

/** Tracks how many batches wait to be processed. Above the limit, uploads are rejected instead of increasing the lag. */
export class Backlog implements Disposable {
  readonly #limit: number;
  readonly #timer: NodeJS.Timeout | undefined;
  #waiting = 0;

  /** Polls only on nodes that accept uploads. */
  constructor(countWaiting: (upTo: number) => Promise<number>, limit: number, shouldPoll: boolean) {
    this.#limit = limit;
    if (!shouldPoll) return;
    let asking = false;
    const poll = async () => {
      if (asking) return;
      asking = true;
      // If the database is unavailable, uploads fail on their own.
      this.#waiting = await countWaiting(limit + 1).catch(() => 0);
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
  }
}
