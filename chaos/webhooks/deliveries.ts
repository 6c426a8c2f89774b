/** Committed events and their deliveries, by event number. */
export class Deliveries {
  committed = 0;
  /** Events delivered successfully, and those delivered more than once. */
  succeeded = 0;
  repeated = 0;
  readonly #endpoints: number[] = [];
  readonly #users: number[] = [];
  readonly #committedAt: number[] = [];
  readonly #firstAt: number[] = [];
  readonly #successes: number[] = [];
  readonly #firstOrder: number[][] = [];
  /** Deliveries to an endpoint that the event was not for. */
  strays = 0;

  get count(): number {
    return this.#endpoints.length;
  }

  /** Returns a number for a new event for this endpoint. */
  add(endpoint: number): number {
    return this.#endpoints.push(endpoint) - 1;
  }

  commit(numbers: readonly number[], users: readonly number[]): void {
    const at = performance.now();
    for (const [index, number] of numbers.entries()) {
      this.#committedAt[number] = at;
      this.#users[number] = users[index]!;
    }
    this.committed += numbers.length;
  }

  /** Records a delivery and whether the endpoint returned success. */
  receive(endpoint: number, number: number, succeeds: boolean): void {
    if (this.#endpoints[number] !== endpoint) {
      this.strays += 1;
      return;
    }
    if (this.#firstAt[number] === undefined) {
      this.#firstAt[number] = performance.now();
      (this.#firstOrder[endpoint] ??= []).push(number);
    }
    if (!succeeds) return;
    const times = (this.#successes[number] ?? 0) + 1;
    this.#successes[number] = times;
    if (times === 1) this.succeeded += 1;
    if (times === 2) this.repeated += 1;
  }

  /** Committed events without a successful delivery. */
  get lost(): number {
    return this.committed - this.succeeded;
  }

  /** Milliseconds from commit to first delivery, for events that were committed in a time range and go to matching endpoints. */
  latencies(from: number, to: number, isIncluded: (endpoint: number) => boolean): number[] {
    return this.#numbers()
      .filter((number) => {
        const at = this.#committedAt[number]!;
        return (
          at >= from && at < to && isIncluded(this.#endpoints[number]!) && this.#firstAt[number] !== undefined
        );
      })
      .map((number) => this.#firstAt[number]! - this.#committedAt[number]!);
  }

  /** Number of first deliveries that came after a later event of the same user, by feed position. */
  outOfOrder(placeOf: ReadonlyMap<number, number>): number {
    let count = 0;
    for (const [, numbers] of this.#firstOrder.entries()) {
      const last = new Map<number, number>();
      for (const number of numbers ?? []) {
        const user = this.#users[number]!;
        const place = placeOf.get(number) ?? -1;
        if (place < (last.get(user) ?? 0)) count += 1;
        last.set(user, Math.max(place, last.get(user) ?? 0));
      }
    }
    return count;
  }

  #numbers(): number[] {
    return [...this.#committedAt.keys()].filter((number) => this.#committedAt[number] !== undefined);
  }
}
