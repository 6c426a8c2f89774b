/** A median and its 95% confidence interval. */
export interface Estimate {
  median: number;
  low: number;
  high: number;
  /** The number of rounds behind it. */
  rounds: number;
}

export type Verdict = 'faster' | 'slower' | 'no difference shown' | 'too few rounds';

/** With fewer rounds, all of them fall on one side of the median by chance more often than once in 20 times. */
const leastRounds = 6;

const confidence = 0.95;

/** The middle number, or the mean of the two in the middle. */
export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  if (Number.isInteger(middle)) return ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
  return sorted[Math.floor(middle)]!;
}

/**
 * Two-stage percentile bootstrap of the median: resamples blocks with replacement, and then the rounds within each. Rounds of one block
 * share their processes, and two processes of the same program differ for as long as they run. The same blocks give the same interval.
 */
export function estimateMedian(
  blocks: readonly (readonly number[])[],
  { seed = 1, resamples = 10_000 } = {},
): Estimate {
  const random = createRandom(seed);
  const medians = Array.from({ length: resamples }, () =>
    medianOf(drawFrom(blocks, random).flatMap((block) => drawFrom(block, random))),
  ).sort((a, b) => a - b);
  const tail = (1 - confidence) / 2;
  const rounds = blocks.flat();
  return {
    median: medianOf(rounds),
    low: medians[Math.floor(resamples * tail)]!,
    high: medians[Math.ceil(resamples * (1 - tail)) - 1]!,
    rounds: rounds.length,
  };
}

function drawFrom<T>(items: readonly T[], random: () => number): T[] {
  return items.map(() => items[Math.floor(random() * items.length)]!);
}

/** Divides each number by the one of the same round. */
export function pairedRatios(numerators: readonly number[], denominators: readonly number[]): number[] {
  if (numerators.length !== denominators.length) throw new Error('every round needs both figures');
  return numerators.map((numerator, at) => numerator / denominators[at]!);
}

/** Classifies a ratio of new to old. An interval that includes 1 shows no difference. */
export function verdictOf({ low, high, rounds }: Estimate, better: 'higher' | 'lower'): Verdict {
  if (rounds < leastRounds) return 'too few rounds';
  if (!(low > 1) && !(high < 1)) return 'no difference shown';
  return low > 1 === (better === 'higher') ? 'faster' : 'slower';
}

/** `1.02 (0.99 to 1.05)` */
export function formatEstimate({ median, low, high }: Estimate, digits = 2): string {
  return `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
}

/** Numbers from 0 to below 1 that depend only on the seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
