/** Points of a curve, by x; between them it is straight, outside of them flat. */
export type Knots = readonly (readonly [x: number, y: number])[];

/** Where the curve stands at x. */
export function interpolate(knots: Knots, x: number): number {
  let [beforeX, beforeY] = knots[0]!;
  if (x <= beforeX) return beforeY;
  for (const [atX, atY] of knots) {
    if (x <= atX) return beforeY + ((atY - beforeY) * (x - beforeX)) / (atX - beforeX);
    [beforeX, beforeY] = [atX, atY];
  }
  return beforeY;
}

/** The sub-score of a reading; null where there is none. */
export function subScoreOf(knots: Knots, reading: number | null): number | null {
  return reading === null ? null : interpolate(knots, reading);
}
