import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { listBatchesUnderWay } from '../../store/batches-under-way.ts';

const lookEveryMs = 50;
const longestMs = 30_000;

/**
 * Waits for the uploads that are being committed and the batches that are being taken up at this moment: from then on what they bring can
 * be seen, and everyone else has seen what was committed before. Throws when one takes too long.
 */
export async function awaitBatchesUnderWay(ctx: Pick<Context, 'operator'>): Promise<void> {
  const until = performance.now() + longestMs;
  let running = await listBatchesUnderWay(ctx.operator);
  while (running.length > 0) {
    if (performance.now() > until) throw new Error('a batch has been under way for half a minute');
    await sleep(lookEveryMs);
    running = await listBatchesUnderWay(ctx.operator, running);
  }
}
