/** The nearest value that is at least `low` and at most `high`. */
export function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
