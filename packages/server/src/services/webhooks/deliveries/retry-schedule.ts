const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay after each failed attempt. The first attempt is immediate. */
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
/** Relative jitter of a delay, so that deliveries that failed together do not retry together. */
const spread = 0.1;
/** The maximum delay that an endpoint can request. */
const longestRetryAfterMs = 24 * hour;

/** The delay after failed attempt number `tries`. Null after the last one. `random` is from 0 to 1. */
export function waitAfterFailure(tries: number, retryAfterMs: number | null, random: number): number | null {
  const wait = waitsMs[tries - 1];
  if (wait === undefined) return null;
  const spreadWait = wait * (1 - spread + 2 * spread * random);
  return Math.round(Math.max(spreadWait, Math.min(retryAfterMs ?? 0, longestRetryAfterMs)));
}

/** Parses `Retry-After`, given in seconds or as a date, to milliseconds from now. Null for anything else. */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  const text = header?.trim();
  if (!text) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * second;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
