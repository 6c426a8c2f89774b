import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { buildApp } from './app.ts';
import { Connections } from './connections.ts';

const retireMs = 2_000;
/** Connections that wait to be accepted. Beyond it, clients retry after a second. The system may have a lower limit. */
const mostWaiting = 4_096;

/** Serves the API until disposed, then finishes requests in flight and closes. */
export async function serveApi(ctx: Context): Promise<AsyncDisposable> {
  const app = await buildApp(ctx);
  const connections = new Connections(app.server);
  // Closing the listener resets connections that wait to be accepted. Right after a poll there are the fewest of them.
  app.addHook('preClose', (done) => void setImmediate(done));
  const { host, port } = ctx.config.http;
  await app.listen({ host, port, backlog: mostWaiting });
  return {
    async [Symbol.asyncDispose]() {
      // Clients with open connections first get responses that ask them to reconnect. Closing at once would break requests that are already
      // on their way.
      await sleep(ctx.config.http.shutdownDrainMs);
      await connections.retire(retireMs);
      // The framework waits for every connection, even one on which no request ever arrives.
      using _ = connections.closeQuiet();
      await app.close();
    },
  };
}
