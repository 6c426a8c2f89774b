import { ApiError } from '@tributary/contract';

const lookEveryMs = 200;

/** What an api node knows of how much waits to be worked on. Past the limit, uploads are refused instead of growing the lag. */
export class Backlog implements Disposable {
  readonly #limit: number;
  readonly #timer: NodeJS.Timeout | undefined;
  #waiting = 0;

  /** Looks only where uploads are taken. */
  constructor(countWaiting: (upTo: number) => Promise<number>, limit: number, looks: boolean) {
    this.#limit = limit;
    if (!looks) return;
    let asking = false;
    const look = async () => {
      if (asking) return;
      asking = true;
      // A database that does not answer refuses uploads by itself.
      this.#waiting = await countWaiting(limit + 1).catch(() => 0);
      asking = false;
    };
    this.#timer = setInterval(() => void look(), lookEveryMs);
    this.#timer.unref();
  }

  /** Throws `unavailable` while too much waits. */
  refuseWhenFull(): void {
    if (this.#waiting > this.#limit) throw new ApiError('unavailable', { retryAfterSeconds: 1 });
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
