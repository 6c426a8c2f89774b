import { ApiError } from '@tributary/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import { limitsOf } from '../../account-limits.ts';
import type { Context } from '../../context.ts';
import type { AccountCaller } from '../../services/credentials/authenticate.ts';
import { sealEventsCursor } from '../../services/events/events-cursor.ts';
import { FeedReader } from '../../services/events/feed-reader.ts';
import { findStartPosition } from '../../services/events/find-start-position.ts';
import { printBeginning } from '../../services/events/stream-text.ts';
import { identify, sessionPresentedBy } from './auth.ts';
import { unavailable } from './errors.ts';
import { isHead } from './rewrite-request.ts';

/** Selects the events that a stream sends. */
export interface StreamQuery {
  cursor: string | null;
  types: readonly string[] | null;
  userId: string | null;
}

/** The open streams of a process. They have their own limit because, unlike other requests, they stay open. */
export class EventStreams {
  readonly #ctx: Context;
  readonly #open = new Map<ServerResponse, FeedReader | null>();
  readonly #ofTenant = new Map<string, number>();
  #isEnding = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Sends events until either side closes the stream. Request errors are returned as usual, before the stream begins. */
  async open(
    request: FastifyRequest,
    reply: FastifyReply,
    { tenant, account }: AccountCaller,
    { cursor, types, userId }: StreamQuery,
  ): Promise<void> {
    const ctx = this.#ctx;
    const response = reply.raw;
    const { streams } = limitsOf(ctx.config.limits.account, account);
    this.#takePlace(response, `${tenant.accountId} ${tenant.environment}`, streams);
    const { place, head } = await findStartPosition(ctx, tenant, cursor);
    if (this.#isEnding) throw unavailable();
    if (response.destroyed) return;
    if (isHead(request)) {
      begin(reply);
      response.end();
      return;
    }

    const sealCursor = (at: number): string => sealEventsCursor(ctx, tenant, at);
    const isAllowed = (): Promise<boolean> => isStillAllowed(ctx, request);
    const beatEveryMs = ctx.config.events.heartbeatSeconds * 1000;
    const options = { tenant, place, types, userId, sealCursor, beatEveryMs, isAllowed };
    const reader = new FeedReader(response, options);
    this.#open.set(response, reader);
    response.on('drain', () => ctx.feeds.resume(reader));
    response.on('error', () => {}); // `close` follows
    response.once('close', () => ctx.feeds.leave(reader));
    begin(reply);
    response.write(printBeginning(sealCursor(place)));
    request.finishCounting();
    ctx.feeds.join(reader, head);
  }

  /** Ends all streams and accepts no new ones. Clients reconnect to another node. */
  end(): void {
    this.#isEnding = true;
    for (const reader of this.#open.values()) reader?.end();
  }

  #takePlace(response: ServerResponse, tenant: string, mostOfTenant: number): void {
    const ofTenant = this.#ofTenant.get(tenant) ?? 0;
    const { draining, metrics } = this.#ctx;
    const { maxStreams } = this.#ctx.config.http;
    if (draining || this.#isEnding || this.#open.size >= maxStreams) throw unavailable();
    if (ofTenant >= mostOfTenant)
      throw new ApiError('rate_limited', {
        message: `This environment already has ${mostOfTenant} open streams on this server. Share one stream between several readers, or close some.`,
        retryAfterSeconds: 5,
      });
    this.#open.set(response, null);
    this.#ofTenant.set(tenant, ofTenant + 1);
    metrics.eventStreams.set(this.#open.size);
    response.once('close', () => {
      this.#open.delete(response);
      const left = (this.#ofTenant.get(tenant) ?? 1) - 1;
      if (left === 0) this.#ofTenant.delete(tenant);
      else this.#ofTenant.set(tenant, left);
      metrics.eventStreams.set(this.#open.size);
    });
  }
}

/** Takes the response over from the framework so that it can be written in pieces. */
function begin(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Prevents proxies from buffering events.
    'x-accel-buffering': 'no',
    // Clients should reconnect on a new connection, possibly to another node.
    connection: 'close',
  });
}

async function isStillAllowed(ctx: Context, request: FastifyRequest): Promise<boolean> {
  try {
    // An open stream is no use of a session.
    const session = { ...sessionPresentedBy(request), inactiveSeconds: Number.POSITIVE_INFINITY };
    const caller = await identify(ctx, request, session);
    return caller.kind !== 'user_token' && caller.kind !== 'sdk' && !caller.account.suspended;
  } catch (error) {
    // If the database is unavailable, the key's state is unknown, and the stream receives no events either.
    return !(error instanceof ApiError);
  }
}
