import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { buildApp } from './app.ts';

/** Serves the API until disposed of; then finishes what is in flight and closes. */
export async function serveApi(ctx: Context): Promise<AsyncDisposable> {
  const app = await buildApp(ctx);
  await app.listen({ host: ctx.config.http.host, port: ctx.config.http.port });
  return {
    async [Symbol.asyncDispose]() {
      // Clients with a connection open get some time in which answers tell them to leave it; closing at once would cut a
      // request that is already on its way.
      await sleep(ctx.config.http.shutdownDrainMs);
      await app.close();
    },
  };
}
