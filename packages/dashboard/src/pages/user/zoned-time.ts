const formats = new Map<string, Intl.DateTimeFormat>();

/** The moment, in seconds since 1970, at which clocks of a zone show a time such as "2026-11-15T22:51:00". */
export function secondsOf(clock: string, timeZone: string): number {
  const asUtc = Date.parse(`${clock}Z`) / 1_000;
  // Twice: the first guess may lie on the other side of a change of clocks.
  const guess = asUtc - offsetAt(asUtc, timeZone);
  return asUtc - offsetAt(guess, timeZone);
}

/** How far clocks are ahead of UTC, in seconds. */
function offsetAt(seconds: number, timeZone: string): number {
  const known =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(timeZone, known);
  const parts = Object.fromEntries(
    known.formatToParts(seconds * 1_000).map(({ type, value }) => [type, Number(value)]),
  );
  const { year, month, day, hour, minute, second } = parts;
  return Date.UTC(year!, month! - 1, day, hour, minute, second) / 1_000 - seconds;
}
