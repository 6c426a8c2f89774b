import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '@tributary/domain';
import type { Context } from '../context.ts';
import { scoreStaleUsers } from '../services/scores/score-stale-users.ts';
import { postponeFailedScores } from '../store/scores/stale.ts';

/** Maximum users scored in one transaction. */
const mostUsers = 20;
const pollIntervalMs = 250;
const retryAfterMs = minuteMs;

/** Computes due scores until disposed. */
export function runScoring(ctx: Context): AsyncDisposable {
  const stop = new AbortController();
  const running = run(ctx, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

async function run(ctx: Context, signal: AbortSignal): Promise<void> {
  using loop = ctx.loops.start('scores');
  // After a failure, users are scored one by one to find the one that fails.
  let singly = 0;
  while (!signal.aborted) {
    let isMore = false;
    try {
      const limit = singly > 0 ? 1 : mostUsers;
      isMore = (await scoreStaleUsers(ctx, limit, loop.beat)) === limit;
      loop.beat();
      singly = Math.max(0, singly - 1);
    } catch (error) {
      ctx.log.error({ err: error }, 'failed to compute scores; will be retried');
      ctx.metrics.jobFailures.inc({ queue: 'scores' });
      // The failing user is the one that was due first.
      if (singly > 0) await postponeFailedScores(ctx.operator, retryAfterMs).catch(() => {});
      singly = mostUsers;
    }
    if (!isMore) await sleep(pollIntervalMs, undefined, { signal }).catch(() => {});
  }
}
