/** Average requests per second, and the maximum burst after a rest. */
export interface Rate {
  perSecond: number;
  burst: number;
}

export interface GcraDecision {
  allowed: boolean;
  /** The theoretical arrival time after this request, in milliseconds of the caller's clock. */
  tat: number;
}

export const intervalMs = (rate: Rate): number => 1000 / rate.perSecond;

/** How far the arrival time may run ahead of the clock: the burst, as time. */
export const toleranceMs = (rate: Rate): number => rate.burst * intervalMs(rate);

/** The generic cell rate algorithm: one number per bucket, and no window boundary to exploit. */
export function takeFromBucket(tat: number, now: number, rate: Rate): GcraDecision {
  const next = Math.max(tat, now) + intervalMs(rate);
  // A tenth of a microsecond of slack, against rounding in 1000 / perSecond.
  const allowed = next - now <= toleranceMs(rate) + 1e-4;
  return { allowed, tat: allowed ? next : Math.max(tat, now) };
}

/** What a client may still send, given how far the bucket is ahead of the clock. */
export function describeBucket(
  aheadMs: number,
  rate: Rate,
): { remaining: number; fullAfterMs: number; retryAfterMs: number } {
  const room = toleranceMs(rate) - Math.max(0, aheadMs);
  return {
    remaining: Math.max(0, Math.floor((room + 1e-4) / intervalMs(rate))),
    fullAfterMs: Math.max(0, aheadMs),
    retryAfterMs: Math.max(0, intervalMs(rate) - room),
  };
}
