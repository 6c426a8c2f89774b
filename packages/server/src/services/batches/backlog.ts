import { ApiError } from '@tributary/contract';
import type { Loop } from '../../loops.ts';
import type { Waiting } from '../../store/uploads/pending-batches.ts';

const pollIntervalMs = 200;

/**
 * Tracks how many batches wait to be processed. Above the limit, uploads of accounts with more than their share are rejected instead of increasing the
 * lag. The other accounts may use as much again, so that one account cannot lock them out.
 */
export class Backlog implements Disposable {
  readonly #limit: number;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #loop: Loop | null;
  #count = 0;
  #greedyAccounts = new Set<string>();

  /** Polls only on nodes that accept uploads, which pass a loop. */
  constructor(
    countWaiting: (upTo: number, fairCount: number) => Promise<Waiting>,
    limit: number,
    loop: Loop | null,
  ) {
    this.#limit = limit;
    this.#loop = loop;
    if (!loop) return;
    let asking = false;
    const poll = async () => {
      if (asking) return;
      asking = true;
      // If the database is unavailable, uploads fail on their own.
      const { count, greedyAccounts } = await countWaiting(2 * limit + 1, limit).then(
        (waiting) => {
          loop.beat();
          return waiting;
        },
        () => ({ count: 0, greedyAccounts: [] }),
      );
      this.#count = count;
      this.#greedyAccounts = new Set(greedyAccounts);
      asking = false;
    };
    this.#timer = setInterval(() => void poll(), pollIntervalMs);
    this.#timer.unref();
  }

  /** Throws `unavailable` while the backlog exceeds the limit, and the account its share. */
  refuseWhenFull(accountId: string): void {
    if (this.#count <= this.#limit) return;
    if (this.#count <= 2 * this.#limit && !this.#greedyAccounts.has(accountId)) return;
    throw new ApiError('unavailable', { retryAfterSeconds: 1 });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#loop?.[Symbol.dispose]();
  }
}
