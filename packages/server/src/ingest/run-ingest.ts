import type { Context } from '../context.ts';
import { countWaitingPointers, ensureStreams } from '../stream/streams.ts';

const measureEveryMs = 5_000;

/** Keeps the ingest stream in place and measures how much waits in it, until disposed of. */
export async function runIngest(ctx: Context): Promise<AsyncDisposable> {
  let ensured = false;
  const tend = async () => {
    const { connection, connected } = ctx.broker;
    if (!connection || !connected) return;
    if (!ensured) await ensureStreams(connection);
    ensured = true;
    ctx.metrics.streamLag.set(await countWaitingPointers(connection));
  };
  const tendSafely = () =>
    void tend().catch((error: unknown) => {
      ensured = false; // the broker may have come back without its streams
      ctx.log.warn({ err: error }, 'ingest stream not reached');
    });
  ctx.broker.whenConnected(tendSafely);
  const timer = setInterval(tendSafely, measureEveryMs);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
    },
  };
}
