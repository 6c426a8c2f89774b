import { setImmediate } from 'node:timers/promises';

/** How long a computation may keep the event loop before other work gets it. */
const spanMs = 8;
const longMs = 500;

/** Thrown when a computation reached one of its time limits. The work is done again in smaller pieces. */
export class WorkLimitError extends Error {
  override name = 'WorkLimitError';
}

/** The limits of a computation. */
interface PaceLimits {
  /** Maximum CPU time of this thread. The computation throws `WorkLimitError` when it reaches a limit. */
  cpuMs?: number;
  /** Maximum duration. Longer than the CPU time, because on a busy machine work takes longer without being larger. */
  limitMs?: number;
  /** Called once if the computation takes long. */
  onLong?: () => Promise<void>;
}

/** Paces a long computation: it yields to the event loop every few milliseconds and ends at its time limits. */
export class Pace {
  readonly #startedAt = performance.now();
  readonly #cpuAtStart = process.threadCpuUsage();
  readonly #cpuMs: number;
  readonly #limitMs: number;
  #onLong: (() => Promise<void>) | undefined;
  #yieldAt = performance.now() + spanMs;

  constructor({ cpuMs = Infinity, limitMs = Infinity, onLong }: PaceLimits = {}) {
    this.#cpuMs = cpuMs;
    this.#limitMs = limitMs;
    this.#onLong = onLong;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** Call between steps of a computation. Costs one reading of the clock unless it is time to yield. */
  async pause(): Promise<void> {
    if (performance.now() < this.#yieldAt) return;
    await setImmediate();
    this.#checkLimits();
    if (this.#onLong && this.elapsedMs > longMs) {
      const note = this.#onLong;
      this.#onLong = undefined;
      await note();
    }
    this.#yieldAt = performance.now() + spanMs;
  }

  #checkLimits(): void {
    const { user, system } = process.threadCpuUsage(this.#cpuAtStart);
    if (this.elapsedMs > this.#limitMs || (user + system) / 1_000 > this.#cpuMs)
      throw new WorkLimitError('The work takes too long for one transaction.');
  }
}
