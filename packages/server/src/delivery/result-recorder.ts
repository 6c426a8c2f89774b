import { setTimeout as sleep } from 'node:timers/promises';
import { dayMs } from '@tributary/domain';
import type { Context } from '../context.ts';
import type { Queryable } from '../store/database/database.ts';
import { recordOutcomes, type Outcome } from '../store/webhooks/deliveries.ts';

const mostTogether = 200;
const retryAfterMs = 200;
/** An endpoint that only fails for this long is disabled. */
const disableAfterMs = 5 * dayMs;

/**
 * Records the results of attempts immediately. Results that are not recorded when the process dies are sent again. Results that arrive during a
 * statement are batched into the next one; two concurrent statements could deadlock.
 */
export class ResultRecorder {
  readonly #ctx: Pick<Context, 'log' | 'metrics'>;
  readonly #db: Queryable;
  #waiting: { outcome: Outcome; onRecorded: () => void }[] = [];
  #isWriting = false;

  constructor(ctx: Pick<Context, 'log' | 'metrics'>, db: Queryable) {
    this.#ctx = ctx;
    this.#db = db;
  }

  /** Resolves after the commit, however long the database is unavailable. */
  record(outcome: Outcome): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ outcome, onRecorded: resolve });
    if (!this.#isWriting) void this.#write();
    return promise;
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const some = this.#waiting.splice(0, mostTogether);
      try {
        const disabled = await recordOutcomes(
          this.#db,
          some.map(({ outcome }) => outcome),
          disableAfterMs,
        );
        for (const webhook of disabled) this.#ctx.log.warn({ webhook }, 'webhook disabled');
        for (const { onRecorded } of some) onRecorded();
      } catch (error) {
        this.#ctx.log.warn({ err: error, deliveries: some.length }, 'failed to record delivery results');
        this.#waiting.unshift(...some);
        await sleep(retryAfterMs);
      }
    }
    this.#isWriting = false;
  }
}
