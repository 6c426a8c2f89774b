import type { FastifyInstance } from 'fastify';
import { metadataOf, isBrowserRead } from './route-metadata.ts';

const exposed = 'Request-Id, API-Form, RateLimit, RateLimit-Policy, Retry-After, ETag';

/**
 * Browsers may make the reads that a user token allows, from any page, without cookies. Responses to API keys carry no CORS headers,
 * because a key in a browser is a mistake that should not work.
 */
export function installCors(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'GET' || !isBrowserRead(route.schema?.operationId)) return;
    // A preflight carries the query of the request that follows, which validates it.
    const schema = { hide: true, querystring: { type: 'object' } };
    app.options(route.url, { schema }, (_request, reply) => {
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
  app.addHook('onRequest', (request, reply, done) => {
    const fromBrowser =
      request.method === 'GET' &&
      metadataOf(request).isBrowserRead &&
      !/^bearer +sk_/i.test(request.headers.authorization ?? '');
    if (fromBrowser) {
      reply.headers({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed });
    }
    done();
  });
}
