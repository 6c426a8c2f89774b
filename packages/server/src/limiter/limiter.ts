import { LocalBuckets, type Draw, type Verdict } from './buckets.ts';
import type { SharedAnswer, SharedStore } from './shared-store.ts';

const timeoutMs = 50;
const probeEveryMs = 200;
const hungAfterMs = 2_000;
const sweepEveryMs = 10_000;

export interface LimiterObserver {
  /** The shared store is asked (`shared`), or every node limits its own share (`local`). */
  modeChanged(mode: 'shared' | 'local', cause?: unknown): void;
}

interface Waiting {
  draws: readonly Draw[];
  resolve: (verdict: Verdict) => void;
}

/**
 * The rate limiter. All checks of one turn of the event loop go to the shared store in one call. When that fails or takes too long, a breaker
 * opens and this node limits to its share at once, without waiting, until a probe in the background succeeds. It never fails a request.
 */
export class Limiter {
  readonly #local = new LocalBuckets();
  readonly #store: SharedStore | null;
  readonly #liveNodes: () => number;
  readonly #observer: LimiterObserver;
  readonly #timers: NodeJS.Timeout[] = [];
  #waiting: Waiting[] = [];
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

  /** Draws from every bucket, or from none when one of them is empty. */
  take(draws: readonly Draw[]): Promise<Verdict> | Verdict {
    if (!this.#store || this.#open) return this.#takeLocally(draws);
    return new Promise((resolve) => {
      this.#waiting.push({ draws, resolve });
      if (this.#waiting.length === 1) setImmediate(() => this.#flush());
    });
  }

  /** Whether a bucket has room, as far as this node knows; draws nothing and never waits. */
  hasRoom(draw: Draw): boolean {
    return this.#local.hasRoom(draw, performance.now());
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#store?.close();
  }

  #takeLocally(draws: readonly Draw[]): Verdict {
    // Without a shared store there is one node, and its share is the whole limit.
    return this.#local.take(draws, performance.now(), this.#store ? Math.max(1, this.#liveNodes()) : 1);
  }

  #flush(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    const askedAt = performance.now();
    const checks = batch.map(({ draws }) => ({
      draws: draws.map((draw) => ({ draw, ...this.#local.report(draw, askedAt) })),
    }));
    let settled = false;

    const decideLocally = (cause: unknown): void => {
      settled = true;
      this.#trip(cause);
      for (const { draws, resolve } of batch) resolve({ ...this.#takeLocally(draws), source: 'tripped' });
    };

    const answered = (answers: SharedAnswer[]): void => {
      // A late answer still counts: those draws were charged, so what was admitted locally meanwhile is no debt.
      for (const [index, { draws, resolve }] of batch.entries()) {
        const { allowed, aheadMs, tats } = answers[index]!;
        for (const [at, draw] of draws.entries()) this.#local.learn(draw.key, tats[at]!, askedAt);
        if (!settled) resolve({ allowed, aheadMs, source: 'shared' });
        else if (allowed) for (const draw of draws) this.#local.adjustDebt(draw.key, -1, askedAt);
      }
      settled = true;
    };

    const failed = (cause: unknown): void => {
      for (const { draws } of checks) {
        for (const { draw, debt } of draws) this.#local.adjustDebt(draw.key, debt, askedAt);
      }
      if (!settled) decideLocally(cause);
    };

    this.#store!.check(checks).then(
      (answers) => {
        clearTimeout(timer);
        answered(answers);
      },
      (error: unknown) => {
        clearTimeout(timer);
        failed(error);
      },
    );
    const timer = setTimeout(() => {
      // After a stall of this process the answer may lie unread in the socket: let it be read first.
      setImmediate(() => {
        if (!settled) decideLocally(new Error(`no answer within ${timeoutMs} ms`));
      });
    }, timeoutMs);
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
    }, done);
  }

  #every(ms: number, work: () => void): void {
    const timer = setInterval(work, ms);
    timer.unref();
    this.#timers.push(timer);
  }
}
