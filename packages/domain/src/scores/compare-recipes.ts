import { bandOf } from './publish/score-scales.ts';
import { scoreTypes, type ScoreType } from './score.ts';

/** How the scores of one type differ between two recipes. */
export interface RecipeDifference {
  readonly type: ScoreType;
  /** Days with a value from both recipes. All other numbers are over these days. */
  readonly days: number;
  /** Days with a value from only one of them. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly first: Distribution | null;
  readonly second: Distribution | null;
  /** The second minus the first. */
  readonly meanDifference: number | null;
  /** The one furthest from 0. */
  readonly largestDifference: number | null;
  /** The share of days on which the band is another one, from 0 to 1. */
  readonly bandChanges: number | null;
}

interface Distribution {
  readonly mean: number;
  /** The standard deviation. */
  readonly spread: number;
}

/** Compares the scores of two recipes day by day. Needs the same memory for any number of days. */
export class RecipeComparison {
  readonly #sums = new Map(scoreTypes.map((type) => [type, new Sums()]));

  /** Adds a day. Null for no score. */
  add(type: ScoreType, first: number | null, second: number | null): void {
    const sums = this.#sums.get(type)!;
    if (first === null || second === null) {
      if (first !== null) sums.onlyFirst += 1;
      if (second !== null) sums.onlySecond += 1;
      return;
    }
    sums.first.add(first);
    sums.second.add(second);
    const difference = second - first;
    sums.difference.add(difference);
    if (Math.abs(difference) > Math.abs(sums.largest)) sums.largest = difference;
    if (bandOf(type, first) !== bandOf(type, second)) sums.bandChanges += 1;
  }

  /** The result for every score. */
  results(): RecipeDifference[] {
    return [...this.#sums].map(([type, sums]) => {
      const days = sums.first.count;
      return {
        type,
        days,
        onlyFirst: sums.onlyFirst,
        onlySecond: sums.onlySecond,
        first: sums.first.distribution(),
        second: sums.second.distribution(),
        meanDifference: sums.difference.distribution()?.mean ?? null,
        largestDifference: days === 0 ? null : sums.largest,
        bandChanges: days === 0 ? null : sums.bandChanges / days,
      };
    });
  }
}

class Sums {
  readonly first = new Moments();
  readonly second = new Moments();
  readonly difference = new Moments();
  onlyFirst = 0;
  onlySecond = 0;
  largest = 0;
  bandChanges = 0;
}

/** Mean and variance in one pass (Welford 1962). */
class Moments {
  count = 0;
  #mean = 0;
  #squares = 0;

  add(value: number): void {
    this.count += 1;
    const before = value - this.#mean;
    this.#mean += before / this.count;
    this.#squares += before * (value - this.#mean);
  }

  distribution(): Distribution | null {
    return this.count === 0 ? null : { mean: this.#mean, spread: Math.sqrt(this.#squares / this.count) };
  }
}
