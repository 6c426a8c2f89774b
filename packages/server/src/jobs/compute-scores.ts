import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '@tributary/domain';
import type { Context } from '../context.ts';
import { scoreStaleUsers } from '../services/scores/score-stale-users.ts';
import { noAccount } from '../store/uploads/pending-batches.ts';
import { findDueUsers, postponeFailedScores } from '../store/scores/stale.ts';

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
  let lastAccount = noAccount;
  /** Users of a failed transaction, who are scored one by one to find the one that fails. */
  let suspects: string[] = [];
  while (!signal.aborted) {
    let isMore = suspects.length > 0;
    let userIds = suspects.splice(0, 1);
    try {
      if (userIds.length === 0) {
        const due = await findDueUsers(ctx.operator, mostUsers, lastAccount);
        ({ lastAccount, userIds } = due);
        isMore = userIds.length === mostUsers;
      }
      loop.beat();
      const count = userIds.length > 0 ? await scoreStaleUsers(ctx, userIds, loop.beat) : 0;
      loop.beat();
      // Users that another worker has locked are found again until it is done.
      isMore &&= suspects.length > 0 || count === mostUsers;
    } catch (error) {
      ctx.log.error({ err: error }, 'failed to compute scores; will be retried');
      ctx.metrics.jobFailures.inc({ queue: 'scores' });
      if (userIds.length === 1)
        await postponeFailedScores(ctx.operator, userIds[0]!, retryAfterMs).catch(() => {});
      else suspects = userIds;
      isMore = suspects.length > 0;
    }
    if (!isMore) await sleep(pollIntervalMs, undefined, { signal }).catch(() => {});
  }
}
