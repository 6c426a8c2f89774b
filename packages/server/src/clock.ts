/** The source of time for code. SQL uses `tributary_now()`, which follows the same offset. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The system time, moved by an offset that a test stores in the database. */
export class TestClock implements Clock {
  #offsetMs = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(readOffsetMs: () => Promise<number>, everyMs = 100) {
    const follow = () =>
      void readOffsetMs().then(
        (offset) => (this.#offsetMs = offset),
        () => {}, // the database is unavailable: keep the last offset
      );
    follow();
    this.#timer = setInterval(follow, everyMs);
    this.#timer.unref();
  }

  now(): number {
    return Date.now() + this.#offsetMs;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
