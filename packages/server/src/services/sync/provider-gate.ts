import { minuteMs } from '@tributary/domain';

/** How long a provider counts as crowded after a run yielded to its limits. */
const memoryMs = minuteMs;

/**
 * Allows one run at a time, on this node, for a provider whose limits are exhausted. Several runs would take each other's calls, give up halfway and
 * start over: all calls used, and no run ever complete.
 */
export class ProviderGate {
  readonly #limitedAtMs = new Map<string, number>();
  readonly #running = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Records that a run found the limits of a provider exhausted for longer than it waits. */
  recordExhausted(provider: string): void {
    this.#limitedAtMs.set(provider, this.#now());
  }

  /** Providers for which no run may start now. */
  blockedProviders(): string[] {
    return [...this.#running.keys()].filter((provider) => this.#isCrowded(provider));
  }

  /** Takes a slot, released on disposal. Returns null if another run has it. */
  take(provider: string): Disposable | null {
    const running = this.#running.get(provider) ?? 0;
    if (running > 0 && this.#isCrowded(provider)) return null;
    this.#running.set(provider, running + 1);
    return { [Symbol.dispose]: () => this.#giveBack(provider) };
  }

  #giveBack(provider: string): void {
    const left = this.#running.get(provider)! - 1;
    if (left > 0) this.#running.set(provider, left);
    else this.#running.delete(provider);
  }

  #isCrowded(provider: string): boolean {
    return this.#now() - (this.#limitedAtMs.get(provider) ?? -Infinity) < memoryMs;
  }
}
