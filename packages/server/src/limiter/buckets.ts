import { minuteMs } from '@tributary/domain';
import { describeBucket, intervalMs, takeFromBucket, toleranceMs, type Rate } from './gcra.ts';

/** One bucket that a request draws from. A request is allowed if all of its buckets allow it. */
export interface Draw {
  key: string;
  rate: Rate;
}

export interface Verdict {
  allowed: boolean;
  /** How far each bucket is ahead of the clock afterwards, in the order of the draws. */
  aheadMs: number[];
  /** Who decided; see the limiter. `tripped` is `local` after a timeout of the shared store. */
  source: 'shared' | 'credit' | 'local' | 'tripped';
}

interface Bucket {
  /** The latest arrival time that this node saw in the shared store, by the clock of this process. */
  sharedTat: number;
  /** When it was seen. */
  learnedAt: number;
  /** Arrival time by what this node admitted itself, on credit or from its share. */
  localTat: number;
  /** Requests admitted here that the shared store does not know yet, */
  debt: number;
  /** and those that are being reported to it. */
  reported: number;
  touchedAt: number;
}

const idleMs = minuteMs;
/** State older than this gives no credit. The share below sets the bound; this only keeps estimates accurate. */
const freshMs = 1_000;
/**
 * Share of a bucket's remaining capacity that nodes may admit before they report it. Also how far a burst over several nodes may exceed the limit
 * until it is paid back.
 */
const creditShare = 0.1;
const mostBuckets = 100_000;

/**
 * What this node knows about each bucket and what it admitted by itself: on credit while the shared store responds, and from its share of the limit
 * while it does not.
 */
export class LocalBuckets {
  readonly #buckets = new Map<string, Bucket>();

  /**
   * Admits a request immediately if there is ample capacity. All nodes together may admit a tenth of the capacity they last saw. Returns null if this
   * node's part of it is used up and the shared store has to decide.
   */
  takeOnCredit(draws: readonly Draw[], now: number, nodes: number): Verdict | null {
    const buckets: Bucket[] = [];
    for (const draw of draws) {
      const bucket = this.#buckets.get(draw.key);
      if (!bucket || bucket.learnedAt < now - freshMs) return null;
      const { remaining } = describeBucket(bucket.sharedTat - now, draw.rate);
      if (bucket.debt + bucket.reported + 1 > (remaining * creditShare) / nodes) return null;
      buckets.push(bucket);
    }
    const aheadMs = buckets.map((bucket, at) => {
      bucket.debt += 1;
      bucket.touchedAt = now;
      bucket.localTat = now + aheadOf(bucket, now) + intervalMs(draws[at]!.rate);
      return aheadOf(bucket, now);
    });
    return { allowed: true, aheadMs, source: 'credit' };
  }

  /** Decides with 1/`nodes` of every rate. `owes` says whether the decision is reported to the shared store later. */
  take(draws: readonly Draw[], now: number, { nodes, owes }: { nodes: number; owes: boolean }): Verdict {
    const decisions = draws.map((draw) => {
      const bucket = this.#bucketOf(draw.key, now);
      const share: Rate = {
        perSecond: draw.rate.perSecond / nodes,
        burst: Math.max(1, draw.rate.burst / nodes),
      };
      return { draw, bucket, ...takeFromBucket(now + aheadOf(bucket, now), now, share) };
    });
    const allowed = decisions.every((decision) => decision.allowed);
    for (const { bucket, tat } of allowed ? decisions : []) {
      bucket.localTat = tat;
      if (owes) bucket.debt += 1;
    }
    const aheadMs = decisions.map(({ draw, bucket, allowed: hasRoom }) => {
      const ahead = aheadOf(bucket, now);
      // A share can be used up while the whole limit still has capacity. The response reports that nothing remains.
      return hasRoom ? ahead : Math.max(ahead, toleranceMs(draw.rate));
    });
    return { allowed, aheadMs, source: 'local' };
  }

  /** Whether the bucket has capacity, without drawing from it. */
  hasRoom(draw: Draw, now: number): boolean {
    const bucket = this.#buckets.get(draw.key);
    if (!bucket) return true;
    return describeBucket(aheadOf(bucket, now), draw.rate).remaining > 0;
  }

  /**
   * Starts a report to the shared store: the arrival time last seen there and the requests admitted since. The caller completes the report with the
   * result.
   */
  report(draw: Draw, now: number): { seenTat: number; debt: number } {
    const bucket = this.#bucketOf(draw.key, now);
    const { debt } = bucket;
    bucket.debt = 0;
    bucket.reported += debt;
    return { seenTat: bucket.sharedTat, debt };
  }

  /** Completes a report. Either the shared store accepted the debt and returned the state of the bucket, or the debt remains. */
  completeReport(key: string, debt: number, now: number, tat: number | null): void {
    const bucket = this.#bucketOf(key, now);
    bucket.reported = Math.max(0, bucket.reported - debt);
    if (tat === null) {
      bucket.debt += debt;
    } else {
      bucket.sharedTat = Math.max(bucket.sharedTat, tat);
      bucket.learnedAt = now;
    }
  }

  /** Cancels the debt of a request that turned out to be charged already. */
  forgive(key: string, now: number): void {
    const bucket = this.#bucketOf(key, now);
    bucket.debt = Math.max(0, bucket.debt - 1);
  }

  /** Removes idle buckets. Called periodically. */
  sweep(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      const atRest = bucket.debt + bucket.reported === 0 && aheadOf(bucket, now) === 0;
      if (atRest || bucket.touchedAt < now - idleMs) this.#buckets.delete(key);
    }
  }

  #bucketOf(key: string, now: number): Bucket {
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      if (this.#buckets.size >= mostBuckets) this.#forgetOldest();
      bucket = { sharedTat: 0, localTat: 0, learnedAt: -Infinity, debt: 0, reported: 0, touchedAt: now };
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

/** How far a bucket is ahead of the clock, as far as this node knows. */
function aheadOf(bucket: Bucket, now: number): number {
  return Math.max(bucket.localTat, bucket.sharedTat, now) - now;
}
