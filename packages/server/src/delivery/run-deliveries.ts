import type { Context } from '../context.ts';
import { openDatabase } from '../create-context.ts';
import { followPointers } from '../stream/pointer-stream.ts';
import { readSequenced, sequencedStream } from '../stream/sequenced-stream.ts';
import { DeliveryLane } from './delivery-lane.ts';

/** One connection reads due deliveries while another records results. */
const connections = 3;

/** Delivers events to webhooks until disposed. */
export function runDeliveries(ctx: Context): AsyncDisposable {
  const db = openDatabase(ctx.config, 'operator', connections);
  const lane = new DeliveryLane(ctx, db);
  const stop = new AbortController();
  const following = followPointers(
    ctx,
    sequencedStream,
    stop.signal,
    (pointer) => lane.wake(readSequenced(pointer).webhooks),
    (isFollowing) => lane.isTold(isFollowing),
  );
  return {
    async [Symbol.asyncDispose]() {
      await lane[Symbol.asyncDispose]();
      stop.abort();
      await following;
      await db.end();
    },
  };
}
