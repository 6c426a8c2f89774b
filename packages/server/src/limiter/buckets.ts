import { describeBucket, takeFromBucket, toleranceMs, type Rate } from './gcra.ts';

/** One bucket that a request draws from. A request is allowed when all of its buckets allow it. */
export interface Draw {
  key: string;
  rate: Rate;
}

export interface Verdict {
  allowed: boolean;
  /** How far each bucket runs ahead of the clock afterwards, in the order of the draws. */
  aheadMs: number[];
  /** The shared store, this node alone, or this node alone after it had waited for the shared store in vain. */
  source: 'shared' | 'local' | 'tripped';
}

interface Bucket {
  /** The latest arrival time that this node saw in the shared store, by the clock of this process. */
  sharedTat: number;
  /** Arrival time of this node's own share, while the shared store is away. */
  localTat: number;
  /** Requests admitted here and not yet accounted for in the shared store. */
  debt: number;
  touchedAt: number;
}

const idleMs = 60_000;
const mostBuckets = 100_000;

/**
 * What this node knows of every bucket. While the shared store answers, it only remembers; while it does not, it decides alone, from
 * the last known state, for this node's share of the limit, and keeps account of what it let through.
 */
export class LocalBuckets {
  readonly #buckets = new Map<string, Bucket>();

  /** Decides with a share of 1/`nodes` of every rate. */
  take(draws: readonly Draw[], now: number, nodes: number): Verdict {
    const decisions = draws.map((draw) => {
      const bucket = this.#bucketOf(draw.key, now);
      const share: Rate = {
        perSecond: draw.rate.perSecond / nodes,
        burst: Math.max(1, draw.rate.burst / nodes),
      };
      return { draw, bucket, ...takeFromBucket(Math.max(bucket.localTat, bucket.sharedTat), now, share) };
    });
    const allowed = decisions.every((decision) => decision.allowed);
    for (const { bucket, tat } of allowed ? decisions : []) {
      bucket.localTat = tat;
      bucket.debt += 1;
    }
    const aheadMs = decisions.map(({ draw, bucket, allowed: hasRoom }) => {
      const ahead = Math.max(bucket.localTat, bucket.sharedTat) - now;
      // A share can be used up while the whole limit would have room for one more: the client hears that nothing remains.
      return hasRoom ? ahead : Math.max(ahead, toleranceMs(draw.rate));
    });
    return { allowed, aheadMs, source: 'local' };
  }

  /** Whether the bucket has room, without drawing from it. */
  hasRoom(draw: Draw, now: number): boolean {
    const bucket = this.#buckets.get(draw.key);
    if (!bucket) return true;
    return describeBucket(Math.max(bucket.localTat, bucket.sharedTat) - now, draw.rate).remaining > 0;
  }

  /** What the shared store should know: the arrival time we saw there, and what was admitted meanwhile. Takes the debt out. */
  report(draw: Draw, now: number): { seenTat: number; debt: number } {
    const bucket = this.#bucketOf(draw.key, now);
    const debt = bucket.debt;
    bucket.debt = 0;
    return { seenTat: bucket.sharedTat, debt };
  }

  /** Corrects the debt: up when a report did not arrive, down when a request turns out to have been charged. */
  adjustDebt(key: string, change: number, now: number): void {
    if (change === 0) return;
    const bucket = this.#bucketOf(key, now);
    bucket.debt = Math.max(0, bucket.debt + change);
  }

  /** Remembers what the shared store said. */
  learn(key: string, tat: number, now: number): void {
    const bucket = this.#bucketOf(key, now);
    bucket.sharedTat = Math.max(bucket.sharedTat, tat);
  }

  /** Forgets buckets at rest; called now and then. */
  sweep(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      const atRest = bucket.debt === 0 && Math.max(bucket.localTat, bucket.sharedTat) < now;
      if (atRest || bucket.touchedAt < now - idleMs) this.#buckets.delete(key);
    }
  }

  get size(): number {
    return this.#buckets.size;
  }

  #bucketOf(key: string, now: number): Bucket {
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      if (this.#buckets.size >= mostBuckets) this.#forgetOldest();
      bucket = { sharedTat: 0, localTat: 0, debt: 0, touchedAt: now };
      this.#buckets.set(key, bucket);
    }
    bucket.touchedAt = now;
    return bucket;
  }

  #forgetOldest(): void {
    const oldest = this.#buckets.keys().next();
    if (!oldest.done) this.#buckets.delete(oldest.value);
  }
}
