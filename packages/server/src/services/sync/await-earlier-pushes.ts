import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { findNewestPush, hasPushUpTo } from '../../store/connections/provider-pushes.ts';

const pollIntervalMs = 50;
const longestMs = 10_000;

/** Waits until the pushes that have arrived so far are processed, and their keys destroyed. Throws if that takes too long. */
export async function awaitEarlierPushes(ctx: Pick<Context, 'operator'>): Promise<void> {
  const newest = await findNewestPush(ctx.operator);
  if (newest === null) return;
  const until = performance.now() + longestMs;
  while (await hasPushUpTo(ctx.operator, newest)) {
    if (performance.now() > until) throw new Error('pushes have been waiting for 10 seconds');
    await sleep(pollIntervalMs);
  }
}
