/**
 * Values are kept as whole millionths of the metric's unit: sums of them are exact, whatever the order, and six decimals are more
 * than any device measures. Rounding to what people read happens once, at output.
 */
export const microsPerUnit = 1_000_000;

export function toMicros(value: number): number {
  return Math.round(value * microsPerUnit);
}

export function fromMicros(micros: number): number {
  return micros / microsPerUnit;
}
