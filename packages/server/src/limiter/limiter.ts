import type { ConnectionFailure } from '../settings/connection-failure.ts';
import { LocalBuckets, type Draw, type Verdict } from './buckets.ts';
import type { SharedResult, SharedCheck, SharedStore } from './shared-store.ts';

const timeoutMs = 50;
/** How long admissions on credit may wait before they are reported to the shared store. */
const reportAfterMs = 20;
/** Maximum buckets reported in one call, so that no call takes long. */
const mostReports = 1_000;
const probeEveryMs = 200;
const hungAfterMs = 2_000;
const sweepEveryMs = 10_000;

export interface LimiterObserver {
  /** Either the shared store decides (`shared`), or every node enforces its own share (`local`). */
  modeChanged(mode: 'shared' | 'local', cause?: unknown): void;
}

interface Waiting {
  draws: readonly Draw[];
  resolve: (verdict: Verdict) => void;
}

/**
 * The rate limiter. A request with ample capacity is admitted immediately on credit and reported to the shared store within 20 ms. Other requests are
 * decided by the store, all of one event loop iteration in one call. When the store fails or is slow, a breaker opens and this node enforces its
 * share without waiting, until a background probe succeeds. The limiter never fails a request.
 */
export class Limiter {
  readonly #local = new LocalBuckets();
  readonly #store: SharedStore | null;
  readonly #liveNodes: () => number;
  readonly #observer: LimiterObserver;
  readonly #timers: NodeJS.Timeout[] = [];
  /** Draws to report to the shared store, by bucket. */
  readonly #owed = new Map<string, Draw>();
  #waiting: Waiting[] = [];
  #reportTimer: NodeJS.Timeout | null = null;
  #open = false;
  #probeSentAt: number | null = null;

  constructor(options: { store: SharedStore | null; liveNodes: () => number; observer: LimiterObserver }) {
    this.#store = options.store;
    this.#liveNodes = options.liveNodes;
    this.#observer = options.observer;
    this.#every(sweepEveryMs, () => this.#local.sweep(performance.now()));
    if (this.#store) this.#every(probeEveryMs, () => this.#probe());
  }

  get mode(): 'shared' | 'local' {
    return this.#store && !this.#open ? 'shared' : 'local';
  }

  /** Why the shared store is not connected. */
  get storeFailure(): ConnectionFailure | null {
    return this.#store?.failure ?? null;
  }

  /** Draws from every bucket, or from none if one of them is empty. */
  take(draws: readonly Draw[]): Promise<Verdict> | Verdict {
    if (!this.#store || this.#open) return this.#takeLocally(draws);
    const onCredit = this.#local.takeOnCredit(draws, performance.now(), Math.max(1, this.#liveNodes()));
    if (onCredit) {
      this.#owe(draws);
      return onCredit;
    }
    return new Promise((resolve) => {
      this.#waiting.push({ draws, resolve });
      if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    });
  }

  /** Whether a bucket has capacity, as far as this node knows. Draws nothing and never waits. */
  hasRoom(draw: Draw): boolean {
    return this.#local.hasRoom(draw, performance.now());
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#reportTimer) clearTimeout(this.#reportTimer);
    this.#store?.close();
  }

  #takeLocally(draws: readonly Draw[]): Verdict {
    // Without a shared store there is one node, and its share is the whole limit.
    if (!this.#store) return this.#local.take(draws, performance.now(), { nodes: 1, owes: false });
    for (const draw of draws) this.#owed.set(draw.key, draw);
    const nodes = Math.max(1, this.#liveNodes());
    return this.#local.take(draws, performance.now(), { nodes, owes: true });
  }

  #owe(draws: readonly Draw[]): void {
    for (const draw of draws) this.#owed.set(draw.key, draw);
    this.#reportTimer ??= setTimeout(() => this.#flush(), reportAfterMs);
  }

  #takeOwed(): Draw[] {
    const draws = [...this.#owed.values().take(mostReports)];
    for (const draw of draws) this.#owed.delete(draw.key);
    if (this.#owed.size > 0) this.#reportTimer ??= setTimeout(() => this.#flush(), reportAfterMs);
    return draws;
  }

  /** Requests decisions for waiting draws and reports owed ones, in one call. */
  #flush(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    if (this.#reportTimer) clearTimeout(this.#reportTimer);
    this.#reportTimer = null;
    if (this.#open) {
      for (const { draws, resolve } of batch) resolve({ ...this.#takeLocally(draws), source: 'tripped' });
      return;
    }
    const requestedAt = performance.now();
    const prepare = (draw: Draw) => ({ draw, ...this.#local.report(draw, requestedAt) });
    const requestChecks: SharedCheck[] = batch.map(({ draws }) => ({ cost: 1, draws: draws.map(prepare) }));
    const reports: SharedCheck[] = this.#takeOwed().map((draw) => ({ cost: 0, draws: [prepare(draw)] }));
    const checks = [...requestChecks, ...reports];
    if (checks.length === 0) return;
    let isDecided = false;

    const decideLocally = (cause: unknown): void => {
      isDecided = true;
      this.#trip(cause);
      for (const { draws, resolve } of batch) resolve({ ...this.#takeLocally(draws), source: 'tripped' });
    };

    const applyResults = (results: SharedResult[]): void => {
      for (const [index, { draws }] of checks.entries()) {
        const { allowed, aheadMs, tats } = results[index]!;
        for (const [at, { draw, debt }] of draws.entries())
          this.#local.completeReport(draw.key, debt, requestedAt, tats[at]!);
        const request = batch[index];
        if (!request) continue;
        if (!isDecided) request.resolve({ allowed, aheadMs, source: 'shared' });
        // A late response still counts: requests admitted locally in the meantime have been charged after all.
        else if (allowed) for (const draw of request.draws) this.#local.forgive(draw.key, requestedAt);
      }
      isDecided = true;
    };

    const failed = (cause: unknown): void => {
      for (const { draws } of checks) {
        for (const { draw, debt } of draws) {
          this.#local.completeReport(draw.key, debt, requestedAt, null);
          if (debt > 0) this.#owed.set(draw.key, draw);
        }
      }
      if (!isDecided) decideLocally(cause);
    };

    const timer = setTimeout(() => {
      // After a stall of this process the response may be unread in the socket. Let it be read first.
      setImmediate(() => {
        if (!isDecided) decideLocally(new Error(`no response within ${timeoutMs} ms`));
      });
    }, timeoutMs);
    this.#store!
      .check(checks)
      .finally(() => clearTimeout(timer))
      .then(applyResults, failed);
  }

  #trip(cause: unknown): void {
    if (this.#open) return;
    this.#open = true;
    this.#observer.modeChanged('local', cause);
  }

  #probe(): void {
    if (!this.#open) return;
    if (this.#probeSentAt !== null) {
      if (performance.now() - this.#probeSentAt > hungAfterMs) {
        this.#probeSentAt = null;
        this.#store!.reset();
      }
      return;
    }
    const sentAt = performance.now();
    this.#probeSentAt = sentAt;
    const done = () => {
      if (this.#probeSentAt === sentAt) this.#probeSentAt = null;
    };
    this.#store!.probe().then(() => {
      done();
      this.#open = false;
      this.#observer.modeChanged('shared');
      this.#flush(); // report what was admitted in the meantime
    }, done);
  }

  #every(ms: number, work: () => void): void {
    const timer = setInterval(work, ms);
    timer.unref();
    this.#timers.push(timer);
  }
}
