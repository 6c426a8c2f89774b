/** What was told and what arrived, by the number of the event. */
export class Deliveries {
  committed = 0;
  /** Events that arrived with success, and those that did more than once. */
  succeeded = 0;
  repeated = 0;
  readonly #endpoints: number[] = [];
  readonly #users: number[] = [];
  readonly #committedAt: number[] = [];
  readonly #firstAt: number[] = [];
  readonly #successes: number[] = [];
  readonly #firstOrder: number[][] = [];
  /** Arrivals at an endpoint that the event was not for. */
  strays = 0;

  get count(): number {
    return this.#endpoints.length;
  }

  /** A number for an event that goes to this endpoint. */
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

  /** Takes down an arrival, and whether it was answered with success. */
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

  /** Events that committed and have not arrived with success. */
  get lost(): number {
    return this.committed - this.succeeded;
  }

  /** Milliseconds from commit to the first arrival, of events that committed in a stretch and go to some endpoints. */
  latencies(from: number, to: number, isMeant: (endpoint: number) => boolean): number[] {
    return this.#numbers()
      .filter((number) => {
        const at = this.#committedAt[number]!;
        return (
          at >= from && at < to && isMeant(this.#endpoints[number]!) && this.#firstAt[number] !== undefined
        );
      })
      .map((number) => this.#firstAt[number]! - this.#committedAt[number]!);
  }

  /** First arrivals of a user's events that came before an earlier one's, going by the places in the feed. */
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
