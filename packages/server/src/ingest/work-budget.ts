/**
 * Maximum work of one transaction, in the units of `takePiece`: a few tenths of a second on an idle machine. A hundred ordinary uploads of users with few
 * devices need less.
 */
const mostWork = 4_000;
const leastWork = 100;
const slowMs = 1_000;
const quickMs = 400;

/** How much work the next transaction may do. Shrinks while transactions take long, for example on a busy machine, and grows back. */
export class WorkBudget {
  #work = mostWork;

  get work(): number {
    return this.#work;
  }

  /** Adapts to the duration of a transaction that was committed. */
  noteDuration(elapsedMs: number): void {
    if (elapsedMs > slowMs) this.#work = Math.max(leastWork, this.#work / 2);
    else if (elapsedMs < quickMs) this.#work = Math.min(mostWork, this.#work * 1.5);
  }

  /** Adapts to a transaction that reached its time limit. */
  noteLimit(): void {
    this.#work = Math.max(leastWork, this.#work / 4);
  }
}
