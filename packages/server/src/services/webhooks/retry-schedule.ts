const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after an attempt the next one comes; the first is made at once. */
const waitsMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
/** Part of a wait by which it may be shorter or longer, so that what failed together does not come back together. */
const spread = 0.1;
/** The longest that an endpoint may ask us to wait. */
const longestAskedMs = 24 * hour;

/** How long to wait after an attempt, the `tries`th one, that failed; null when it was the last. `random` is from 0 to 1. */
export function waitAfterFailure(tries: number, askedMs: number | null, random: number): number | null {
  const wait = waitsMs[tries - 1];
  if (wait === undefined) return null;
  const spreadWait = wait * (1 - spread + 2 * spread * random);
  return Math.round(Math.max(spreadWait, Math.min(askedMs ?? 0, longestAskedMs)));
}

/** What `Retry-After` asks for, in milliseconds from now: seconds or a date. Null when it says neither. */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  const text = header?.trim();
  if (!text) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * second;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
