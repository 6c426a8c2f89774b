/** The unit of a value of glucose; one that is `unknown` makes it worth nothing. */
export function glucoseUnitOf(unit: unknown): 'mg/dL' | 'mmol/L' | null {
  return unit === 'mg/dL' || unit === 'mmol/L' ? unit : null;
}
