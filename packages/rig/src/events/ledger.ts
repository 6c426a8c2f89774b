const room = 1 << 18;

/** Records all written events by number. Numbers rise with every event that a writer creates, including those that are rolled back. */
export class Ledger {
  /** Committed transactions and events, and events that were rolled back. */
  transactions = 0;
  committed = 0;
  rolledBack = 0;
  #count = 0;
  #tenants = new Uint8Array(room);
  #writers = new Uint8Array(room);
  #committedAt = new Float64Array(room);
  #seenAt = new Float64Array(room);

  get count(): number {
    return this.#count;
  }

  /** Returns a number for a new event of this writer in the feed of this tenant. */
  add(tenant: number, writer: number): number {
    if (this.#count === this.#tenants.length) this.#grow();
    this.#tenants[this.#count] = tenant;
    this.#writers[this.#count] = writer;
    return this.#count++;
  }

  commit(numbers: readonly number[]): void {
    const at = performance.now();
    for (const number of numbers) this.#committedAt[number] = at;
    this.committed += numbers.length;
    this.transactions += 1;
  }

  /** Records when an event was first read. */
  see(number: number): void {
    if (this.#seenAt[number] === 0) this.#seenAt[number] = performance.now();
  }

  tenantOf(number: number): number | undefined {
    return this.#tenants[number];
  }

  writerOf(number: number): number | undefined {
    return this.#writers[number];
  }

  /** Returns 0 if the event did not commit. */
  committedAt(number: number): number {
    return this.#committedAt[number] ?? 0;
  }

  /** Returns 0 if no reader recorded the event. */
  seenAt(number: number): number {
    return this.#seenAt[number] ?? 0;
  }

  #grow(): void {
    const size = this.#count * 2;
    this.#tenants = enlarge(this.#tenants, new Uint8Array(size));
    this.#writers = enlarge(this.#writers, new Uint8Array(size));
    this.#committedAt = enlarge(this.#committedAt, new Float64Array(size));
    this.#seenAt = enlarge(this.#seenAt, new Float64Array(size));
  }
}

function enlarge<T extends Uint8Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
