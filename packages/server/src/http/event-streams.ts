import { ApiError } from '@tributary/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { Context } from '../context.ts';
import type { AccountCaller } from '../services/credentials/authenticate.ts';
import { sealEventsCursor } from '../services/events/events-cursor.ts';
import { FeedReader } from '../services/events/feed-reader.ts';
import { findPlace } from '../services/events/find-place.ts';
import { printBeginning } from '../services/events/stream-text.ts';
import { identify } from './auth.ts';
import { unavailable } from './errors.ts';

/** The part of all streams of a node that one environment may have, so that none takes all of them. */
const partOfTenant = 0.1;

/** What a stream is to tell of. */
export interface StreamQuery {
  cursor: string | null;
  types: readonly string[] | null;
  userId: string | null;
}

/** The open streams of a process: bounded by themselves, since they are no requests that come to an end soon. */
export class EventStreams {
  readonly #ctx: Context;
  readonly #open = new Map<ServerResponse, FeedReader | null>();
  readonly #ofTenant = new Map<string, number>();
  #isEnding = false;

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Answers with events until either side ends it. What is wrong with the request is answered as anywhere else, before the stream begins. */
  async open(
    request: FastifyRequest,
    reply: FastifyReply,
    { tenant }: AccountCaller,
    { cursor, types, userId }: StreamQuery,
  ): Promise<void> {
    const ctx = this.#ctx;
    const response = reply.raw;
    this.#takePlace(response, `${tenant.accountId} ${tenant.environment}`);
    const { place, head } = await findPlace(ctx, tenant, cursor);
    if (this.#isEnding) throw unavailable();
    if (response.destroyed) return;

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
    request.settle();
    ctx.feeds.join(reader, head);
  }

  /** Ends all of them, and begins none any more: their readers go on elsewhere. */
  end(): void {
    this.#isEnding = true;
    for (const reader of this.#open.values()) reader?.end();
  }

  #takePlace(response: ServerResponse, tenant: string): void {
    const ofTenant = this.#ofTenant.get(tenant) ?? 0;
    const { draining, metrics } = this.#ctx;
    const { maxStreams } = this.#ctx.config.http;
    const mostOfTenant = Math.ceil(maxStreams * partOfTenant);
    if (draining || this.#isEnding || this.#open.size >= maxStreams) throw unavailable();
    if (ofTenant >= mostOfTenant)
      throw new ApiError('rate_limited', {
        message: `This environment has ${mostOfTenant} streams open here. Let several readers share one, or end some.`,
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

/** Takes the answer out of the framework's hands: from here on it is written piece by piece. */
function begin(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Proxies that gather answers before they pass them on would hold events back.
    'x-accel-buffering': 'no',
    // Whoever comes back may have to come to another node, so not on this connection.
    connection: 'close',
  });
}

async function isStillAllowed(ctx: Context, request: FastifyRequest): Promise<boolean> {
  try {
    const caller = await identify(ctx, request);
    return caller.kind !== 'user_token' && caller.kind !== 'sdk' && !caller.account.suspended;
  } catch (error) {
    // A database that does not answer says nothing about the key, and gives the stream nothing either.
    return !(error instanceof ApiError);
  }
}
