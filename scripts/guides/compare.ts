export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Represents text that differs in every run, or that was left out for brevity. */
export const ellipsis = '…';

/**
 * Where the actual response differs from the one that a guide shows, or null. Inside a text, `…` matches anything; as a value, any value;
 * as an element, any further elements; as a key, any further fields.
 */
export function findDifference(shown: Json, real: Json, path = 'the response'): string | null {
  if (shown === ellipsis) return null;
  if (typeof shown === 'string' && typeof real === 'string')
    return textMatches(shown, real) ? null : differ(path, shown, real);
  if (Array.isArray(shown) && Array.isArray(real)) return differenceOfLists(shown, real, path);
  if (isRecord(shown) && isRecord(real)) return differenceOfRecords(shown, real, path);
  return shown === real ? null : differ(path, shown, real);
}

/** Whether a text matches the one shown, where `…` matches anything. Columns may be wider, since their width depends on their content. */
export function textMatches(shown: string, real: string): boolean {
  const pattern = shown
    .split(ellipsis)
    .map((part) =>
      part
        .split(/ {2,}/)
        .map((cell) => RegExp.escape(cell))
        .join(' {2,}'),
    )
    .join('[\\s\\S]*');
  return new RegExp(`^${pattern}$`).test(real);
}

/** The elements shown before and after the `…` of a list. */
export function splitList(shown: readonly Json[]): { before: Json[]; after: Json[]; isShort: boolean } {
  const at = shown.indexOf(ellipsis);
  if (at < 0) return { before: [...shown], after: [], isShort: false };
  return { before: shown.slice(0, at), after: shown.slice(at + 1), isShort: true };
}

export function isRecord(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function differenceOfLists(shown: Json[], real: Json[], path: string): string | null {
  const { before, after, isShort } = splitList(shown);
  const count = before.length + after.length;
  if (isShort ? real.length < count : real.length !== count)
    return `${path} shows ${count}${isShort ? ' or more' : ''} elements but has ${real.length}`;
  for (const [at, value] of [...before, ...after].entries()) {
    const place = at < before.length ? at : real.length - count + at;
    const difference = findDifference(value, real[place]!, `${path}[${place}]`);
    if (difference) return difference;
  }
  return null;
}

function differenceOfRecords(
  shown: { [key: string]: Json },
  real: { [key: string]: Json },
  path: string,
): string | null {
  const isShort = Object.hasOwn(shown, ellipsis);
  for (const [key, value] of Object.entries(shown)) {
    if (key === ellipsis) continue;
    if (!Object.hasOwn(real, key)) return `${path}.${key} is shown but is missing`;
    const difference = findDifference(value, real[key]!, `${path}.${key}`);
    if (difference) return difference;
  }
  const missingKey = Object.keys(real).find((key) => !Object.hasOwn(shown, key));
  return missingKey !== undefined && !isShort ? `${path}.${missingKey} exists but is not shown` : null;
}

function differ(path: string, shown: Json, real: Json): string {
  return `${path} is shown as ${JSON.stringify(shown)} but is ${JSON.stringify(real)}`;
}
