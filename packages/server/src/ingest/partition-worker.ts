import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Context } from '../context.ts';
import type { Loop } from '../loops.ts';
import { noteFailure } from '../services/batches/note-failure.ts';
import { processBatches } from '../services/layers/process-batches.ts';
import { transact } from '../store/database/database.ts';
import type { PartitionShare } from '../store/uploads/partition-locks.ts';
import { openPartitionSession } from '../store/uploads/partition-session.ts';
import {
  deferPendingBatches,
  takePendingBatches,
  takes,
  type Scan,
} from '../store/uploads/pending-batches.ts';

/**
 * Maximum batches per transaction, and how often a worker polls for batches, for unlocked partitions and for a surplus of its own. History gets no
 * pointers and has its own worker, which takes few batches at once and rests longer than it works, so that new data waits neither for it nor for the
 * CPU.
 */
const paces = {
  ingest: { batches: 100, pollIntervalMs: 1_000, restShare: 0 },
  history: { batches: 4, pollIntervalMs: 1_000, restShare: 4 },
} as const;
const longestRestMs = 2_000;
const reconnectAfterMs = 500;
/** Delay before a skipped batch is tried again. */
const deferMs = 300;

/**
 * One database session that locks some partitions and processes their pending batches, one transaction at a time. The locks belong to the session
 * that does the work. When the process, connection or machine fails, they are released and other workers take over at their next poll.
 */
export class PartitionWorker implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #kind: keyof typeof paces;
  readonly #running: Promise<void>;
  #share: PartitionShare | null = null;
  #stopping = false;
  #wake: () => void = () => {};
  #awake = true;
  /** After a failure, the number of batches still processed one by one, to find the one that fails. */
  #singly = 0;

  constructor(ctx: Context, kind: keyof typeof paces = 'ingest') {
    this.#ctx = ctx;
    this.#kind = kind;
    this.#running = this.#run();
  }

  /** Number of partitions this worker has locked. */
  get partitions(): number {
    return this.#share?.lockedPartitions.size ?? 0;
  }

  /** Signals that batches were committed in these partitions. */
  nudge(partitions: readonly number[]): void {
    if (!partitions.some((partition) => this.#share?.lockedPartitions.has(partition))) return;
    this.#awake = true;
    this.#wake();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    using loop = this.#ctx.loops.start(this.#kind);
    while (!this.#stopping) {
      try {
        await this.#hold(loop);
      } catch (error) {
        this.#ctx.log.warn({ err: error }, 'ingest worker lost its database session');
        await sleep(reconnectAfterMs);
      }
    }
  }

  /** Runs on one session until it breaks or the worker stops. */
  async #hold(loop: Loop): Promise<void> {
    await using session = await openPartitionSession(this.#ctx.config, this.#kind, {
      onBroken: () => this.#wake(),
      onResponse: loop.beat,
    });
    const { client, share } = session;
    const { pollIntervalMs, restShare } = paces[this.#kind];
    this.#share = share;
    try {
      let polledAt = -Infinity;
      while (!this.#stopping) {
        session.check();
        if (performance.now() - polledAt >= pollIntervalMs) {
          await share.balance();
          polledAt = performance.now();
          this.#awake = true;
        }
        if (this.#awake && share.lockedPartitions.size > 0) {
          this.#awake = false;
          const beganAt = performance.now();
          const isMore = await this.#work(client, share);
          const restMs = Math.min(longestRestMs, (performance.now() - beganAt) * restShare);
          if (isMore && restMs > 0) await this.#sleep(restMs);
          if (isMore) this.#awake = true;
        } else {
          this.#awake = false; // a worker without a partition has nothing to process
          await this.#sleep(polledAt + pollIntervalMs - performance.now());
        }
      }
    } finally {
      this.#share = null;
    }
  }

  /** Processes pending batches. Returns true if there may be more. */
  async #work(session: pg.Client, { lockedPartitions }: PartitionShare): Promise<boolean> {
    const limit = this.#singly > 0 ? 1 : paces[this.#kind].batches;
    const startedAt = performance.now();
    let scan: Scan = { batches: [], passedOver: [] };
    try {
      const failed = await transact(session, async (tx) => {
        scan = await takePendingBatches(tx, [...lockedPartitions], limit, takes[this.#kind]);
        if (scan.passedOver.length > 0) await deferPendingBatches(tx, scan.passedOver, deferMs);
        return scan.batches.length > 0 ? processBatches(this.#ctx, tx, scan.batches) : [];
      });
      for (const { batch, error } of failed) await noteFailure(this.#ctx, batch, error);
    } catch (error) {
      await session.query('SELECT'); // throws if the session has ended, rather than a batch failed
      if (scan.batches.length === 0) throw error;
      this.#ctx.log.warn({ err: error, batches: scan.batches.length }, 'failed to process batches');
      if (scan.batches.length === 1) await noteFailure(this.#ctx, scan.batches[0]!, error);
      this.#singly = scan.batches.length === 1 ? this.#singly - 1 : scan.batches.length;
      return true;
    }
    const scannedCount = scan.batches.length + scan.passedOver.length;
    if (this.#singly > 0) this.#singly = scannedCount === 0 ? 0 : this.#singly - 1;
    if (scan.batches.length > 0)
      this.#ctx.metrics.ingestSeconds.observe((performance.now() - startedAt) / 1000);
    this.#ctx.metrics.ingestedBatches.inc(scan.batches.length);
    // For history, fewer batches than the limit do not mean an empty queue: the byte limit may apply first.
    return this.#kind === 'history' ? scannedCount > 0 : scannedCount === limit;
  }

  async #sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = setTimeout(resolve, Math.max(0, ms));
    if (!this.#stopping && !this.#awake) await promise;
    clearTimeout(timer);
    this.#wake = () => {};
  }
}
