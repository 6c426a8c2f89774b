import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { listBatchesUnderWay } from '../../store/uploads/batches-in-progress.ts';

const pollIntervalMs = 50;
const longestMs = 30_000;

/**
 * Waits for the uploads being committed and the batches being processed right now. Afterwards their data is visible, and every other transaction has
 * seen what was committed before the call. Throws if one takes too long.
 */
export async function awaitBatchesUnderWay(ctx: Pick<Context, 'operator'>): Promise<void> {
  const until = performance.now() + longestMs;
  let running = await listBatchesUnderWay(ctx.operator);
  while (running.length > 0) {
    if (performance.now() > until) throw new Error('a batch has been in progress for 30 seconds');
    await sleep(pollIntervalMs);
    running = await listBatchesUnderWay(ctx.operator, running);
  }
}
