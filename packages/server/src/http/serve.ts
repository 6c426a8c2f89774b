import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { buildApp } from './app.ts';
import { Connections } from './connections.ts';

const retireMs = 2_000;

/** Serves the API until disposed of; then finishes what is in flight and closes. */
export async function serveApi(ctx: Context): Promise<AsyncDisposable> {
  const app = await buildApp(ctx);
  const connections = new Connections(app.server);
  // The system resets connections that wait to be accepted when the listener closes; right after a poll the fewest do.
  app.addHook('preClose', (done) => void setImmediate(done));
  await app.listen({ host: ctx.config.http.host, port: ctx.config.http.port });
  return {
    async [Symbol.asyncDispose]() {
      // Clients with a connection open get some time in which answers tell them to leave it; closing at once would cut a
      // request that is already on its way.
      await sleep(ctx.config.http.shutdownDrainMs);
      await connections.retire(retireMs);
      // The framework waits for every connection, also for one on which a client never asks anything.
      using _ = connections.closeQuiet();
      await app.close();
    },
  };
}
