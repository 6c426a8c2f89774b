import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preParsingHookHandler,
  preValidationHookHandler,
  RouteOptions,
} from 'fastify';
import type { Context } from '../../context.ts';
import { formatId } from '../../ids.ts';
import { requestMessage } from '../../log-destination.ts';
import type { Caller } from '../../services/credentials/authenticate.ts';
import { unavailable } from './errors.ts';
import { hasBody, RequestBodies, type RequestBody } from './request-bodies.ts';
import { metadataOf } from './route-metadata.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Stops counting a request as in flight: for responses that last for hours and have their own limit. */
    finishCounting: () => void;
    /** Whether the request has one of the slots of this node. It has none while its body arrives. */
    slot: 'held' | 'returned' | 'ended';
    incomingBody: RequestBody | null;
  }
  interface FastifyContextConfig {
    /** The body is read without a credential, so it has to be small and to arrive soon. Set by `limitAnonymousBody`. */
    anonymousBody?: boolean;
  }
}

/** Sign-in forms and tokens are far smaller. */
const largestAnonymousBytes = 8_192;

/** Marks a route that reads its body without a credential. For hooks that see the route before it is added. */
export function limitAnonymousBody(route: RouteOptions, mostBytes = largestAnonymousBytes): void {
  route.bodyLimit = mostBytes;
  route.config = { ...route.config, anonymousBody: true };
}

/**
 * Limits concurrent requests, assigns request IDs, and measures durations. A request has a slot while the service processes it. While its body arrives, it
 * depends on its sender and has limits of its own, so that unfinished requests cannot take the slots of others.
 */
export function installRequestLimits(app: FastifyInstance, ctx: Context): void {
  const { maxInFlight } = ctx.config.http;
  const bodies = new RequestBodies(ctx);
  const slots = new Slots(ctx);
  // The fields of these lines are known, and redaction would more than double their cost.
  const log = ctx.log.child({}, { redact: [] });
  app.addHook('onClose', async () => bodies[Symbol.dispose]());
  app.decorateRequest('finishCounting');
  app.decorateRequest('slot', 'returned');
  app.decorateRequest('incomingBody', null);

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('Request-Id', request.id);
    slots.take(request);
    const startedAt = performance.now();
    const { url: route = 'unknown' } = metadataOf(request);
    request.finishCounting = () => {
      if (request.slot === 'ended') return;
      slots.return(request);
      request.slot = 'ended';
      if (request.incomingBody) bodies.release(request.incomingBody);
      if (!request.raw.complete) bodies.discardRest(request.raw);
      record(ctx, log, request, reply, route, performance.now() - startedAt);
    };
    // `close` fires once for every request, also when the client disconnects; no framework hook does.
    reply.raw.on('close', request.finishCounting);
    done(slots.inUse > maxInFlight && !isProbe(route) ? unavailable() : undefined);
  });

  const receive: preParsingHookHandler = (request, _reply, _payload, done) => {
    // A client that disconnected during an earlier check has been counted.
    if (request.method === 'GET' || !hasBody(request.raw) || request.slot === 'ended') return done();
    slots.return(request);
    request.incomingBody = bodies.receive(request, metadataOf(request).anonymousBody);
    done();
  };
  const admit: preValidationHookHandler = (request, _reply, done) => {
    if (request.slot !== 'returned') return done();
    slots.take(request);
    done(slots.inUse > maxInFlight ? unavailable() : undefined);
  };
  // Only routes that read a body get these hooks, because every hook costs each request time.
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    if (methods.every((method) => method === 'GET' || method === 'HEAD')) return;
    // Preflight requests have no credential.
    if (methods.includes('OPTIONS')) limitAnonymousBody(route);
    route.preParsing = [receive, ...[route.preParsing ?? []].flat()];
    route.preValidation = [admit, ...[route.preValidation ?? []].flat()];
  });
  // While draining, every response asks its client to reconnect, also when the request arrived earlier.
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (ctx.draining) reply.header('Connection', 'close');
    done();
  });
}

/** Counts the requests that the service processes. */
class Slots {
  readonly #ctx: Context;
  inUse = 0;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  take(request: FastifyRequest): void {
    request.slot = 'held';
    this.inUse += 1;
    this.#ctx.metrics.requestsInFlight.set(this.inUse);
  }

  return(request: FastifyRequest): void {
    if (request.slot !== 'held') return;
    request.slot = 'returned';
    this.inUse -= 1;
    this.#ctx.metrics.requestsInFlight.set(this.inUse);
  }
}

function record(
  ctx: Context,
  log: Context['log'],
  request: FastifyRequest,
  reply: FastifyReply,
  route: string,
  durationMs: number,
): void {
  const status = reply.raw.statusCode;
  ctx.metrics.requestSeconds.observe({ method: request.method, route, status }, durationMs / 1000);
  const level = ctx.config.log.requests && !isProbe(route) ? 'info' : 'debug';
  if (!log.isLevelEnabled(level)) return;
  const credential = request.caller ? credentialOf(request.caller) : undefined;
  const ms = Math.round(durationMs * 10) / 10;
  const line = { requestId: request.id, credential, method: request.method, route, status, ms };
  log[level](line, requestMessage);
}

const isProbe = (route: string): boolean => route === '/healthz' || route === '/readyz';

/** The public ID of a credential, as in access records. */
function credentialOf(caller: Caller): string {
  switch (caller.kind) {
    case 'api_key':
      return formatId('key', caller.keyId);
    case 'user_token':
      return formatId('tok', caller.tokenId);
    case 'operator':
      return formatId('op', caller.operator.id);
    case 'sdk':
      return caller.sessionId;
  }
}
