const room = 1 << 18;

/** Everything that was written, by number. Numbers rise with every event that a writer makes, also with those that are rolled back. */
export class Ledger {
  /** Transactions and events that committed, and events that were rolled back. */
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

  /** A number for an event of this writer in the feed of this tenant. */
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

  /** Takes down when an event was first read. */
  see(number: number): void {
    if (this.#seenAt[number] === 0) this.#seenAt[number] = performance.now();
  }

  tenantOf(number: number): number | undefined {
    return this.#tenants[number];
  }

  writerOf(number: number): number | undefined {
    return this.#writers[number];
  }

  /** 0 for what did not commit. */
  committedAt(number: number): number {
    return this.#committedAt[number] ?? 0;
  }

  /** 0 for what was not read by anyone who takes it down. */
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
