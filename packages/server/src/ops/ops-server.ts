import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { Context } from '../context.ts';
import { printMetrics } from './print-metrics.ts';
import { observeReadiness } from './readiness-metrics.ts';
import { checkReadiness } from './readiness.ts';

/** The listener for operators: metrics and health of every role, separate from the API and on loopback unless configured. */
export async function startOpsServer(ctx: Context): Promise<Server> {
  observeReadiness(ctx);
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(body);
    const sendJson = (status: number, body: unknown) =>
      send(status, 'application/json', JSON.stringify(body));
    const respond = async () => {
      if (path === '/metrics') {
        send(200, ctx.metrics.registry.contentType, await printMetrics(ctx));
      } else if (path === '/healthz') {
        sendJson(200, { status: 'ok' });
      } else if (path === '/readyz') {
        const readiness = await checkReadiness(ctx);
        sendJson(readiness.status === 'ready' ? 200 : 503, readiness);
      } else {
        sendJson(404, {
          error: 'not_found',
          message: 'Not found. Try /metrics, /healthz or /readyz.',
          details: {},
        });
      }
    };
    respond().catch((error: unknown) => {
      ctx.log.error({ err: error }, 'failed to serve an ops request');
      if (!response.headersSent)
        sendJson(500, { error: 'internal_error', message: 'Internal error. See the log.', details: {} });
    });
  });
  server.listen(ctx.config.ops.port, ctx.config.ops.host);
  await once(server, 'listening');
  return server;
}
