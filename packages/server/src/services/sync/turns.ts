/** A provider counts as crowded for so long after somebody gave way. */
const memoryMs = 60_000;

/**
 * Lets one person at a time be read, on this node, from a provider whose limits are used up. Several would take each other's calls until
 * each gives up halfway, and begin again with its first call: all of the calls used, and nobody ever done.
 */
export class Turns {
  readonly #gaveWayMs = new Map<string, number>();
  readonly #running = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Notes that somebody found the limits of a provider used up for longer than a run waits. */
  giveWay(provider: string): void {
    this.#gaveWayMs.set(provider, this.#now());
  }

  /** Providers of which nobody may begin now. */
  taken(): string[] {
    return [...this.#running.keys()].filter((provider) => this.#isCrowded(provider));
  }

  /** Takes a turn, to be given back by disposing of it; null when somebody else has it. */
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
    return this.#now() - (this.#gaveWayMs.get(provider) ?? -Infinity) < memoryMs;
  }
}
