import { isDeepStrictEqual } from 'node:util';

type Values = Readonly<Record<string, unknown>>;

/** The names of what two states differ in, sorted; a field that is missing equals one that is null. */
export function changedFields(before: Values, after: Values): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(before[name] ?? null, after[name] ?? null)).sort();
}

/** What changed, for settings whose values may be told: none of a person, nothing secret. */
export function describeChange(
  before: Values,
  after: Values,
  fields: readonly string[],
): { before: Values; after: Values } {
  const only = (values: Values) => Object.fromEntries(fields.map((name) => [name, values[name] ?? null]));
  return { before: only(before), after: only(after) };
}
