import { isDeepStrictEqual } from 'node:util';

type Values = Readonly<Record<string, unknown>>;

/** The sorted names of the fields that differ. A missing field equals null. */
export function changedFields(before: Values, after: Values): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isDeepStrictEqual(before[name] ?? null, after[name] ?? null)).sort();
}

/** Describes a change with its values. Only for settings that contain no personal data and no secrets. */
export function describeChange(
  before: Values,
  after: Values,
  fields: readonly string[],
): { before: Values; after: Values } {
  const only = (values: Values) => Object.fromEntries(fields.map((name) => [name, values[name] ?? null]));
  return { before: only(before), after: only(after) };
}
