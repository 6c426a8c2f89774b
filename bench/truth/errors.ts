/** Errors of one metric over days: in the metric's unit, and relative to the mean of the truth. */
export class Errors {
  #days = 0;
  #missing = 0;
  #error = 0;
  #truth = 0;

  /** Adds a day. A day without a value counts as missing, and with a value of zero if the metric is an amount. */
  add(truth: number, value: number | null, isAmount: boolean): void {
    if (value === null) this.#missing += 1;
    if (value === null && !isAmount) return;
    this.#days += 1;
    this.#error += Math.abs((value ?? 0) - truth);
    this.#truth += truth;
  }

  get days(): number {
    return this.#days;
  }

  get missing(): number {
    return this.#missing;
  }

  /** The mean absolute error. NaN without days. */
  get mean(): number {
    return this.#error / this.#days;
  }

  /** The mean absolute error as a percentage of the mean truth. */
  get percent(): number {
    return (100 * this.#error) / this.#truth;
  }
}
