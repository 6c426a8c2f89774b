/** Every place where two JSON documents differ, as one line each: `+` only in the new one, `-` only in the old one, `~` changed. */
export function findDifferences(before: unknown, after: unknown, path = ''): string[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => {
      const place = path === '' ? name : `${path} › ${name}`;
      if (!Object.hasOwn(before, name)) return [`+ ${place}`];
      if (!Object.hasOwn(after, name)) return [`- ${place}`];
      return findDifferences(before[name], after[name], place);
    });
  }
  const [old, changed] = [JSON.stringify(before), JSON.stringify(after)];
  return old === changed ? [] : [`~ ${path}: ${shorten(old)} → ${shorten(changed)}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
