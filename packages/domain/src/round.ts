/** Rounds half away from zero based on the decimal digits that a person sees: 1.005 to two decimals is 1.01. */
export function roundTo(value: number, precision: number): number {
  if (!Number.isFinite(value)) return value;
  const size = Math.abs(value);
  const power = 10 ** precision;
  const scaled = size * power;
  const fraction = scaled - Math.floor(scaled);
  // Multiplication blurs the last digits, so values close to a half are decided by their decimal digits.
  const isClear = scaled < 1e9 && Math.abs(fraction - 0.5) > 1e-6;
  const rounded = isClear ? Math.round(scaled) / power : roundDecimals(size, precision);
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}

function roundDecimals(size: number, precision: number): number {
  return shiftDecimals(Math.round(shiftDecimals(size, precision)), -precision);
}

/** Moves the decimal point in the shortest decimal representation of `size`, without arithmetic. */
function shiftDecimals(size: number, places: number): number {
  const [digits, exponent = '0'] = size.toString().split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}
