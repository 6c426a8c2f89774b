/** How a stored item differs from the expected one. */
export type Wrong = 'lost' | 'twice' | 'phantom' | 'wrong';

/** An item that is stored but not expected, expected but not stored, or stored with another value. */
export interface Difference {
  wrong: Wrong;
  /** The kind of item, for the report. */
  what: 'batch' | 'receipt' | 'sample' | 'day' | 'session' | 'event';
  userAt: number;
  device?: string;
  metric?: string;
  /** An instant, a date or an id. */
  at: string;
  expected: string;
  actual: string;
  batchIds?: readonly string[];
}

/** Compares two maps key by key. */
export function compareKeys<Expected, Found>(
  expected: ReadonlyMap<string, Expected>,
  actual: readonly (readonly [key: string, value: Found])[],
  differ: (wrong: Wrong, key: string, expected: Expected | undefined, actual: Found | undefined) => void,
  isSame: (expected: Expected, actual: Found) => boolean,
): void {
  const seen = new Set<string>();
  for (const [key, value] of actual) {
    const wanted = expected.get(key);
    if (seen.has(key)) differ('twice', key, wanted, value);
    else if (wanted === undefined) differ('phantom', key, wanted, value);
    else if (!isSame(wanted, value)) differ('wrong', key, wanted, value);
    seen.add(key);
  }
  for (const [key, wanted] of expected) if (!seen.has(key)) differ('lost', key, wanted, undefined);
}
