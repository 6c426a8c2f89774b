import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { unavailable } from './errors.ts';
import { factsOf } from './route-facts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Counts the request as answered from now on: for an answer that goes on for hours, and has a bound of its own. */
    settle: () => void;
  }
}

/** Bounds what is served at once, names every request, and counts how long each took. */
export function installBounds(app: FastifyInstance, ctx: Context): void {
  let inFlight = 0;
  app.decorateRequest('settle');
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('Request-Id', request.id);
    inFlight += 1;
    ctx.metrics.requestsInFlight.set(inFlight);
    const startedAt = performance.now();
    const { url: route = 'unknown' } = factsOf(request);
    let settled = false;
    request.settle = () => {
      if (settled) return;
      settled = true;
      inFlight -= 1;
      ctx.metrics.requestsInFlight.set(inFlight);
      const ms = performance.now() - startedAt;
      const status = reply.raw.statusCode;
      ctx.metrics.requestSeconds.observe({ method: request.method, route, status }, ms / 1000);
      const level = status < 400 || status === 429 ? 'debug' : 'info';
      if (!ctx.log.isLevelEnabled(level)) return;
      ctx.log[level](
        { requestId: request.id, method: request.method, route, status, ms: Math.round(ms * 10) / 10 },
        'request',
      );
    };
    // `close` comes once for every request, also when the client went away; no hook of the framework does.
    reply.raw.on('close', request.settle);
    const isProbe = route === '/healthz' || route === '/readyz';
    done(inFlight > ctx.config.http.maxInFlight && !isProbe ? unavailable() : undefined);
  });
  // While draining, every answer asks its client to come back on another connection, also when the request came before.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (ctx.draining) reply.header('Connection', 'close');
    done();
  });
}
