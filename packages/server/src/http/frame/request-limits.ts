import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { unavailable } from './errors.ts';
import { metadataOf } from './route-metadata.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Stops counting a request as in flight: for responses that last for hours and have their own limit. */
    finishCounting: () => void;
  }
}

/** Limits concurrent requests, assigns request IDs, and measures durations. */
export function installRequestLimits(app: FastifyInstance, ctx: Context): void {
  let inFlight = 0;
  app.decorateRequest('finishCounting');
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('Request-Id', request.id);
    inFlight += 1;
    ctx.metrics.requestsInFlight.set(inFlight);
    const startedAt = performance.now();
    const { url: route = 'unknown' } = metadataOf(request);
    let isFinished = false;
    request.finishCounting = () => {
      if (isFinished) return;
      isFinished = true;
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
    // `close` fires once for every request, also when the client disconnects; no framework hook does.
    reply.raw.on('close', request.finishCounting);
    const isProbe = route === '/healthz' || route === '/readyz';
    done(inFlight > ctx.config.http.maxInFlight && !isProbe ? unavailable() : undefined);
  });
  // While draining, every response asks its client to reconnect, also when the request arrived earlier.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (ctx.draining) reply.header('Connection', 'close');
    done();
  });
}
