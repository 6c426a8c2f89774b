/** Failures in a row after which an endpoint is asked carefully. */
const mostFailures = 5;
const shortestPauseMs = 1_000;
const longestPauseMs = 60_000;

/**
 * Keeps an endpoint that does not answer from being asked for everything at once: after some failures in a row it is asked one thing at a
 * time, with pauses that grow to a minute. The first success ends it.
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

  /** Whether the endpoint is asked carefully. */
  get isOpen(): boolean {
    return this.#failures >= mostFailures;
  }

  /** When it may be asked again. */
  get pausedUntil(): number {
    return this.#closedUntil;
  }
}
