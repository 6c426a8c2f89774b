/** Splits an integer by weights into integers that add up to it exactly. Returns zeros if all weights are zero. */
export function shareOut(total: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let weightSoFar = 0;
  let allocatedTotal = 0;
  return weights.map((weight) => {
    weightSoFar += weight;
    const due = all > 0 ? Math.round(total * (weightSoFar / all)) : 0;
    const share = due - allocatedTotal;
    allocatedTotal = due;
    return share;
  });
}
