const shape = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;
const known = new Map<string, boolean>();

/** Whether `name` is an IANA time zone name (`Europe/Berlin`, `UTC`). Offsets such as `+02:00` are not names. */
export function isTimezone(name: string): boolean {
  if (name.length > 64 || !shape.test(name)) return false;
  const remembered = known.get(name);
  if (remembered !== undefined) return remembered;
  const valid = canFormatIn(name);
  // Caches only existing names, so that callers cannot grow the map indefinitely.
  if (valid) known.set(name, valid);
  return valid;
}

function canFormatIn(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone.length > 0;
  } catch {
    return false;
  }
}
