import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { Queryable } from '../store/database.ts';
import { settleDeliveries, type Outcome } from '../store/deliveries.ts';

const mostTogether = 200;
const retryAfterMs = 200;
const day = 24 * 3_600_000;
/** Nothing but failures for so long, and the endpoint is given up. */
const disableAfterMs = 5 * day;

/**
 * Writes down what attempts led to, at once: what is not written when the process dies is sent again. While one statement is under way, the
 * next ones gather; two at a time could wait for one another.
 */
export class Settler {
  readonly #ctx: Pick<Context, 'log' | 'metrics'>;
  readonly #db: Queryable;
  #waiting: { outcome: Outcome; settled: () => void }[] = [];
  #isWriting = false;

  constructor(ctx: Pick<Context, 'log' | 'metrics'>, db: Queryable) {
    this.#ctx = ctx;
    this.#db = db;
  }

  /** Resolves when it is committed, however long the database is away. */
  settle(outcome: Outcome): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ outcome, settled: resolve });
    if (!this.#isWriting) void this.#write();
    return promise;
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const some = this.#waiting.splice(0, mostTogether);
      try {
        const disabled = await settleDeliveries(
          this.#db,
          some.map(({ outcome }) => outcome),
          disableAfterMs,
        );
        for (const webhook of disabled) this.#ctx.log.warn({ webhook }, 'webhook disabled');
        for (const { settled } of some) settled();
      } catch (error) {
        this.#ctx.log.warn({ err: error, deliveries: some.length }, 'deliveries not settled');
        this.#waiting.unshift(...some);
        await sleep(retryAfterMs);
      }
    }
    this.#isWriting = false;
  }
}
