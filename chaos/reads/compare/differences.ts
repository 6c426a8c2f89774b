/** Something that the API answers and the model does not, or the other way round. */
export interface Difference {
  /** Which answer it was found in. */
  read: string;
  user: string;
  /** A date, a metric, an instant. */
  at: string;
  expected: string;
  found: string;
}

/** Gathers the differences of one user and counts what was compared. */
export class Comparison {
  readonly differences: Difference[] = [];
  readonly compared = new Map<string, number>();
  readonly #user: string;

  constructor(user: string) {
    this.#user = user;
  }

  /** Compares two values as JSON prints them. */
  same(read: string, at: string, expected: unknown, found: unknown): void {
    this.compared.set(read, (this.compared.get(read) ?? 0) + 1);
    if (expected === found) return;
    const [wanted, given] = [JSON.stringify(expected), JSON.stringify(found)];
    if (wanted === given) return;
    this.differences.push({
      read,
      user: this.#user,
      at,
      expected: wanted ?? 'nothing',
      found: given ?? 'nothing',
    });
  }

  /** Compares two lists place by place. */
  sameList(read: string, expected: readonly object[], found: readonly object[]): void {
    for (let at = 0; at < Math.max(expected.length, found.length); at += 1)
      this.same(read, `place ${at} of ${found.length}`, expected[at], found[at]);
  }
}

/** How close an original value has to be: it is shown to as many digits as are kept. */
export function isClose(expected: number, found: unknown): boolean {
  return typeof found === 'number' && Math.abs(expected - found) <= 2e-5 * Math.max(0.5, Math.abs(expected));
}
