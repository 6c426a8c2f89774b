import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { openDatabase } from '../create-context.ts';
import { keepTokens } from '../services/connections/keep-tokens.ts';
import { findRenewalLag, takeRenewals } from '../store/connections/token-renewals.ts';
import { subjects } from '../stream/subjects.ts';

/** Refreshes at once, so that a slow provider does not block the others. */
const atOnce = 10;
const pollEveryMs = 1_000;
const measureEveryMs = 15_000;
const closeTimeoutMs = 500;

/**
 * Refreshes provider tokens that other processes need, until disposed. Then it finishes those that it has started, and calls `onUnfinished` first if
 * there are any.
 */
export function runKeeper(ctx: Context, onUnfinished: () => void): AsyncDisposable {
  const keeper = new Keeper(ctx);
  return {
    async [Symbol.asyncDispose]() {
      await keeper.stop(onUnfinished);
    },
  };
}

class Keeper {
  readonly #ctx: Context;
  readonly #underWay = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  readonly #polling: Promise<void>;
  #wake = new AbortController();
  #measuredAt = -Infinity;

  constructor(ctx: Context) {
    this.#ctx = { ...ctx, operator: openDatabase(ctx.config, 'operator', atOnce + 1) };
    ctx.broker.whenConnected((connection) => {
      connection.subscribe(subjects.renewalsWanted, { callback: () => this.#wake.abort() });
    });
    this.#polling = this.#poll();
  }

  async stop(onUnfinished: () => void): Promise<void> {
    this.#stop.abort();
    if (this.#underWay.size > 0) onUnfinished();
    await this.#polling; // it may have taken others meanwhile
    if (this.#underWay.size > 0) {
      this.#ctx.log.info({ refreshes: this.#underWay.size }, 'waiting for refreshes to finish');
      onUnfinished();
    }
    await Promise.all(this.#underWay);
    await Promise.race([this.#ctx.operator.end(), sleep(closeTimeoutMs)]);
  }

  async #poll(): Promise<void> {
    using loop = this.#ctx.loops.start('keeper');
    while (!this.#stop.signal.aborted) {
      this.#wake = new AbortController();
      try {
        await this.#take();
        await this.#measure();
        loop.beat();
      } catch (error) {
        this.#ctx.log.warn({ err: error }, 'failed to poll for refreshes');
      }
      const signal = AbortSignal.any([this.#wake.signal, this.#stop.signal]);
      await sleep(pollEveryMs, undefined, { signal }).catch(() => {});
    }
  }

  async #take(): Promise<void> {
    const free = atOnce - this.#underWay.size;
    if (free === 0) return;
    for (const renewal of await takeRenewals(this.#ctx.operator, free)) {
      const work: Promise<void> = keepTokens(this.#ctx, renewal)
        .catch((error: unknown) => this.#ctx.log.warn({ err: error }, 'failed to record a refresh'))
        .finally(() => {
          this.#underWay.delete(work);
          this.#wake.abort(); // others may wait for its place
        });
      this.#underWay.add(work);
    }
  }

  async #measure(): Promise<void> {
    if (performance.now() - this.#measuredAt < measureEveryMs) return;
    this.#ctx.metrics.tokenRenewalLagSeconds.set(await findRenewalLag(this.#ctx.operator));
    this.#measuredAt = performance.now();
  }
}
