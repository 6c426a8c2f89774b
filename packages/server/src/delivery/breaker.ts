import { minuteMs } from '@tributary/domain';

/** Consecutive failures that open the breaker. */
const mostFailures = 5;
const shortestPauseMs = 1_000;
const longestPauseMs = minuteMs;

/**
 * Protects a failing endpoint from a burst of requests. After several consecutive failures it gets one request at a time, with pauses that grow to
 * one minute. The first success closes the breaker.
 */
export class Breaker {
  #failures = 0;
  #closedUntil = 0;

  succeeded(): void {
    this.#failures = 0;
    this.#closedUntil = 0;
  }

  failed(now: number): void {
    this.#failures += 1;
    if (this.isOpen)
      this.#closedUntil =
        now + Math.min(longestPauseMs, shortestPauseMs * 2 ** (this.#failures - mostFailures));
  }

  /** Whether requests are throttled. */
  get isOpen(): boolean {
    return this.#failures >= mostFailures;
  }

  /** Earliest time of the next request. */
  get pausedUntil(): number {
    return this.#closedUntil;
  }
}
