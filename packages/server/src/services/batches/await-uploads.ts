import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { listUploadsUnderWay } from '../../store/uploads-under-way.ts';

const lookEveryMs = 50;
const longestMs = 30_000;

/** Waits for the uploads that are being committed at this moment, so that what they bring can be seen. Throws when one takes too long. */
export async function awaitUploads(ctx: Pick<Context, 'operator'>): Promise<void> {
  const until = performance.now() + longestMs;
  let running = await listUploadsUnderWay(ctx.operator);
  while (running.length > 0) {
    if (performance.now() > until) throw new Error('an upload has been under way for half a minute');
    await sleep(lookEveryMs);
    running = await listUploadsUnderWay(ctx.operator, running);
  }
}
