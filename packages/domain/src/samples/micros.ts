/**
 * Values are stored as whole millionths of the metric's unit. Sums are exact in any order, and six decimals exceed the precision of any
 * device. Values are rounded for display once, on output.
 */
export const microsPerUnit = 1_000_000;

export function toMicros(value: number): number {
  return Math.round(value * microsPerUnit);
}

export function fromMicros(micros: number): number {
  return micros / microsPerUnit;
}
