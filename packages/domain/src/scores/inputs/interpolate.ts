/** Points of a piecewise linear curve, sorted by x. The curve is constant outside of them. */
export type Knots = readonly (readonly [x: number, y: number])[];

/** The value of the curve at x. */
export function interpolate(knots: Knots, x: number): number {
  let [beforeX, beforeY] = knots[0]!;
  if (x <= beforeX) return beforeY;
  for (const [atX, atY] of knots) {
    if (x <= atX) return beforeY + ((atY - beforeY) * (x - beforeX)) / (atX - beforeX);
    [beforeX, beforeY] = [atX, atY];
  }
  return beforeY;
}

/** The sub-score of a reading. Null without a reading. */
export function subScoreOf(knots: Knots, reading: number | null): number | null {
  return reading === null ? null : interpolate(knots, reading);
}
