import type { Context } from '../context.ts';
import { openDatabase } from '../create-context.ts';
import { followPointers } from '../stream/pointer-stream.ts';
import { readSequenced, sequencedStream } from '../stream/sequenced-stream.ts';
import { WebhookDispatcher } from './webhook-dispatcher.ts';

/** One connection reads due deliveries while another records results. */
const connections = 3;

/** Delivers events to webhooks until disposed. */
export function runDeliveries(ctx: Context): AsyncDisposable {
  const db = openDatabase(ctx.config, 'operator', connections);
  const dispatcher = new WebhookDispatcher(ctx, db);
  const stop = new AbortController();
  const subscription = followPointers(
    ctx,
    sequencedStream,
    stop.signal,
    (pointer) => dispatcher.wake(readSequenced(pointer).webhooks),
    (isSubscribed) => dispatcher.setNotified(isSubscribed),
  );
  return {
    async [Symbol.asyncDispose]() {
      await dispatcher[Symbol.asyncDispose]();
      stop.abort();
      await subscription;
      await db.end();
    },
  };
}
