import type { FastifyInstance } from 'fastify';
import { accessOf } from './access.ts';

const exposed = 'Request-Id, API-Form, RateLimit, RateLimit-Policy, Retry-After, ETag';

/**
 * Browsers may make the reads that a user token may make, from any page, without cookies. Answers to API keys carry no permission:
 * a key in a browser is a mistake that should not work.
 */
export function installCors(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET' || !isBrowserRead(route.schema?.operationId)) return;
    app.options(route.url, { schema: { hide: true } }, (_request, reply) => {
      void reply
        .headers({
          'Access-Control-Allow-Origin': '*',
          'Access-Control-Allow-Methods': 'GET',
          'Access-Control-Allow-Headers': 'Authorization, API-Form, If-None-Match',
          'Access-Control-Max-Age': '7200',
        })
        .code(204)
        .send();
    });
  });
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET' || !isBrowserRead(request.routeOptions.schema?.operationId)) return;
    if (/^bearer +sk_/i.test(request.headers.authorization ?? '')) return;
    reply.headers({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed });
  });
}

function isBrowserRead(operationId: string | undefined): boolean {
  return operationId !== undefined && accessOf(operationId).ownUser === true;
}
