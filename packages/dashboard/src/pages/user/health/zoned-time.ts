const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the time, in seconds since 1970, at which clocks in a zone show a time such as "2026-11-15T22:51:00". */
export function secondsOf(clock: string, timeZone: string): number {
  const asUtc = Date.parse(`${clock}Z`) / 1_000;
  // Applied twice, because the first guess may be on the other side of a clock change.
  const guess = asUtc - offsetAt(asUtc, timeZone);
  return asUtc - offsetAt(guess, timeZone);
}

/** Offset from UTC in seconds. */
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
