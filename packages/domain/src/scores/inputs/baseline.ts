/** The usual range of a reading for one person. */
export interface Baseline {
  readonly centre: number;
  readonly sd: number;
  /** Number of days with a reading. */
  readonly readings: number;
}

/** How widely the readings of one person scatter. */
export interface Spread {
  /** From the literature. Used while there are few readings. */
  readonly priorSd: number;
  /** Lower limit of the spread. */
  readonly floorSd: number;
}

/**
 * Spread of nights within one person. Bellenger 2022: recordings of athletes varied within a week by 5.4% in ln rMSSD, 0.22 at 4.1, and by
 * 7.6% in heart rate, 3.8 at 50 bpm. Variability is skewed, hence its logarithm (Plews 2013, Buchheit 2014).
 */
export const spreads = {
  lnHrv: { priorSd: 0.2, floorSd: 0.08 },
  restingHeartRate: { priorSd: 3, floorSd: 1.5 },
} as const satisfies Record<string, Spread>;

/** About two months, like the long-term window that a ring maker describes for readiness. */
const usualWindowDays = 60;

/** Plews 2014: the lowest number of readings per week found to be usable. */
const leastReadings = 3;

/** The number of days that the published spread counts for. */
const priorDays = 14;

/** Multiplying the MAD of a normal distribution by this factor gives its standard deviation. */
const sdPerMad = 1.4826;

/** The baseline from the previous days, oldest first. Null if too few of them have a reading. */
export function baselineOf(
  history: readonly (number | null)[],
  { priorSd, floorSd, windowDays }: Spread & { readonly windowDays?: number },
): Baseline | null {
  const readings = recentReadings(history, windowDays);
  return describe(readings, readings.length, { priorSd, floorSd });
}

/** The baseline of many readings per day. They count as much as their number of days. */
export function baselineOfEpochs(values: ArrayLike<number>, days: number, spread: Spread): Baseline | null {
  return values.length === 0 ? null : describe(new Float64Array(values), days, spread);
}

/** Overwrites the values. */
function describe(values: Float64Array, days: number, { priorSd, floorSd }: Spread): Baseline | null {
  if (days < leastReadings) return null;
  // A single bad night moves neither the median nor the median deviation. Quer 2020: people differ far more from each other than from themselves, so
  // the center is never pulled toward that of a population.
  const centre = medianOf(values);
  for (let at = 0; at < values.length; at += 1) values[at] = Math.abs(values[at]! - centre);
  const ownSd = sdPerMad * medianOf(values);
  const sd = Math.sqrt((days * ownSd ** 2 + priorDays * priorSd ** 2) / (days + priorDays));
  return { centre, sd: Math.max(floorSd, sd), readings: days };
}

/** The median of the previous days, oldest first. Null if too few of them have a reading. */
export function usualOf(history: readonly (number | null)[]): number | null {
  const readings = recentReadings(history);
  return readings.length < leastReadings ? null : medianOf(readings);
}

/** The readings in the last days of a history. */
export function recentReadings(
  history: readonly (number | null)[],
  windowDays: number = usualWindowDays,
): Float64Array {
  const first = Math.max(0, history.length - windowDays);
  const readings = new Float64Array(history.length - first);
  let count = 0;
  for (let at = first; at < history.length; at += 1) {
    const reading = history[at]!;
    if (reading !== null) readings[count++] = reading;
  }
  return readings.subarray(0, count);
}

/** Reorders the values. */
function medianOf(values: Float64Array): number {
  const middle = values.length >> 1;
  const upper = takeRanked(values, middle);
  if (values.length % 2 === 1) return upper;
  let lower = values[0]!;
  for (let at = 1; at < middle; at += 1) lower = Math.max(lower, values[at]!);
  return (lower + upper) / 2;
}

/** The value at `rank` in sorted order, found by partial sorting (Hoare 1961). Two weeks of epochs are too many to sort each time. */
function takeRanked(values: Float64Array, rank: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const pivot = values[rank]!;
    let [left, right] = [low, high];
    while (left <= right) {
      while (values[left]! < pivot) left += 1;
      while (values[right]! > pivot) right -= 1;
      if (left > right) break;
      const swapped = values[left]!;
      values[left++] = values[right]!;
      values[right--] = swapped;
    }
    if (right < rank) low = left;
    if (rank < left) high = right;
  }
  return values[rank]!;
}

/** The natural logarithm of a reading. Null if it has none. */
export function lnOf(reading: number | null): number | null {
  return reading !== null && reading > 0 ? Math.log(reading) : null;
}
