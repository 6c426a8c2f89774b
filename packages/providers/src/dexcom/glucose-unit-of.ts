/** The unit of a glucose value. A value with the unit `unknown` is unusable. */
export function glucoseUnitOf(unit: unknown): 'mg/dL' | 'mmol/L' | null {
  return unit === 'mg/dL' || unit === 'mmol/L' ? unit : null;
}
