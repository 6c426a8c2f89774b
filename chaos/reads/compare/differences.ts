/** A value that the API returns and the model does not, or the other way around. */
export interface Difference {
  /** The response that contains it. */
  read: string;
  user: string;
  /** A date, a metric or an instant. */
  at: string;
  expected: string;
  actual: string;
}

/** Collects the differences of one user and counts the compared values. */
export class Comparison {
  readonly differences: Difference[] = [];
  readonly compared = new Map<string, number>();
  readonly #user: string;

  constructor(user: string) {
    this.#user = user;
  }

  /** Compares two values by their JSON. */
  same(read: string, at: string, expected: unknown, actual: unknown): void {
    this.compared.set(read, (this.compared.get(read) ?? 0) + 1);
    if (expected === actual) return;
    const [wanted, actualText] = [JSON.stringify(expected), JSON.stringify(actual)];
    if (wanted === actualText) return;
    this.differences.push({
      read,
      user: this.#user,
      at,
      expected: wanted ?? 'nothing',
      actual: actualText ?? 'nothing',
    });
  }

  /** Compares two lists element by element. */
  sameList(read: string, expected: readonly object[], actual: readonly object[]): void {
    for (let at = 0; at < Math.max(expected.length, actual.length); at += 1)
      this.same(read, `place ${at} of ${actual.length}`, expected[at], actual[at]);
  }
}

/** Whether an original value is close enough: the API shows it with the stored number of digits. */
export function isClose(expected: number, actual: unknown): boolean {
  return (
    typeof actual === 'number' && Math.abs(expected - actual) <= 2e-5 * Math.max(0.5, Math.abs(expected))
  );
}
