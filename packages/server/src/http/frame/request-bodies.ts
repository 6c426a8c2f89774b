import { ApiError } from '@tributary/contract';
import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { blockOf } from '../../limiter/address-block.ts';
import { unavailable } from './errors.ts';

/** The body of a request, from its first byte until the response is sent. */
export interface RequestBody {
  raw: IncomingMessage;
  address: string;
  isAnonymous: boolean;
  startedAt: number;
  receivedBytes: number;
  /** Received bytes and the memory to keep track of them. */
  heldBytes: number;
  isRejected: boolean;
}

type Limits = Config['http']['bodies'];

const checkEveryMs = 1_000;
/** Each chunk is an object. Counting it makes a body in tiny pieces as expensive as it is. */
const chunkBytes = 256;

/**
 * The bodies that a node receives. It bounds how many are unfinished, how slowly they may arrive, and the memory they use, per address and in all, so
 * that no client takes these resources from others. Bodies of requests without a credential are counted separately from all others.
 */
export class RequestBodies implements Disposable {
  readonly #limits: Limits;
  readonly #authenticated = new UnfinishedBodies();
  readonly #anonymous = new UnfinishedBodies();
  readonly #heldByAddress = new Map<string, number>();
  /** Requests that got their response before their body arrived, and when. */
  readonly #leftOver = new Map<IncomingMessage, number>();
  readonly #ctx: Pick<Context, 'metrics'>;
  readonly #timer: NodeJS.Timeout;
  #heldBytes = 0;

  constructor(ctx: Pick<Context, 'config' | 'metrics'>) {
    this.#limits = ctx.config.http.bodies;
    this.#ctx = ctx;
    this.#timer = setInterval(() => this.#rejectSlow(performance.now()), checkEveryMs).unref();
  }

  /** Observes a body that is about to be read. If too many are unfinished, the oldest one gives its place to this one. */
  receive({ raw, ip }: FastifyRequest, isAnonymous: boolean): RequestBody {
    const body: RequestBody = {
      raw,
      address: blockOf(ip),
      isAnonymous,
      startedAt: performance.now(),
      receivedBytes: 0,
      heldBytes: 0,
      isRejected: false,
    };
    const unfinished = this.#unfinishedLike(body);
    unfinished.add(body);
    this.#report();
    raw.on('data', (chunk: Buffer) => this.#hold(body, chunk.length));
    raw.once('end', () => this.#finish(body));
    raw.on('error', () => {}); // the parser of the body handles it
    if (unfinished.countOf(body.address) > this.#limits.mostUnfinishedPerAddress)
      this.#reject(unfinished.oldestOf(body.address), tooManyBodies());
    if (unfinished.size > this.#limits.mostUnfinished) this.#reject(unfinished.oldest(), unavailable());
    return body;
  }

  /** Stops counting a body whose request has ended. */
  release(body: RequestBody): void {
    this.#finish(body);
    this.#change(body, -body.heldBytes);
  }

  /** Closes the connection soon if the rest of the request does not arrive, because its response was already sent. */
  discardRest(raw: IncomingMessage): void {
    this.#leftOver.set(raw, performance.now());
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #unfinishedLike({ isAnonymous }: RequestBody): UnfinishedBodies {
    return isAnonymous ? this.#anonymous : this.#authenticated;
  }

  #finish(body: RequestBody): void {
    this.#unfinishedLike(body).delete(body);
    this.#report();
  }

  #report(): void {
    this.#ctx.metrics.unfinishedBodies.set(this.#authenticated.size + this.#anonymous.size);
  }

  #hold(body: RequestBody, bytes: number): void {
    if (body.isRejected) return;
    body.receivedBytes += bytes;
    this.#change(body, bytes + chunkBytes);
    if (this.#heldBytes > this.#limits.mostBytes) this.#rejectLater(body, unavailable());
    else if (this.#heldByAddress.get(body.address)! > this.#limits.mostBytesPerAddress)
      this.#rejectLater(body, tooManyBodies());
  }

  #change(body: RequestBody, bytes: number): void {
    const total = (this.#heldByAddress.get(body.address) ?? 0) + bytes;
    if (total > 0) this.#heldByAddress.set(body.address, total);
    else this.#heldByAddress.delete(body.address);
    body.heldBytes += bytes;
    this.#heldBytes += bytes;
    this.#ctx.metrics.requestBodyBytes.set(this.#heldBytes);
  }

  #rejectSlow(now: number): void {
    const { timeoutMs, bytesPerSecond, anonymousTimeoutMs } = this.#limits;
    for (const body of this.#anonymous)
      if (now - body.startedAt > anonymousTimeoutMs) this.#reject(body, tooSlow());
    for (const body of this.#authenticated) {
      const allowedMs = timeoutMs + (body.receivedBytes / bytesPerSecond) * 1000;
      if (now - body.startedAt > allowedMs) this.#reject(body, tooSlow());
    }
    for (const [raw, respondedAt] of this.#leftOver) {
      const isOver = raw.complete || raw.socket.destroyed;
      if (!isOver && now - respondedAt < anonymousTimeoutMs) continue;
      if (!isOver) raw.socket.destroy();
      this.#leftOver.delete(raw);
    }
  }

  /** The parser of the body is about to receive the same chunk, and would fail twice. */
  #rejectLater(body: RequestBody, error: ApiError): void {
    process.nextTick(() => this.#reject(body, error));
  }

  /** Fails the parser of an unfinished body, which frees it and sends the error. */
  #reject(body: RequestBody | undefined, error: ApiError): void {
    if (!body || body.isRejected || body.raw.complete) return;
    body.isRejected = true;
    this.#finish(body);
    body.raw.emit('error', error);
  }
}

/** Unfinished bodies in the order in which they began, in all and by address. */
class UnfinishedBodies {
  readonly #all = new Set<RequestBody>();
  readonly #byAddress = new Map<string, Set<RequestBody>>();

  get size(): number {
    return this.#all.size;
  }

  add(body: RequestBody): void {
    this.#all.add(body);
    const same = this.#byAddress.get(body.address);
    if (same) same.add(body);
    else this.#byAddress.set(body.address, new Set([body]));
  }

  delete(body: RequestBody): void {
    if (!this.#all.delete(body)) return;
    const same = this.#byAddress.get(body.address);
    same?.delete(body);
    if (same?.size === 0) this.#byAddress.delete(body.address);
  }

  countOf(address: string): number {
    return this.#byAddress.get(address)?.size ?? 0;
  }

  oldest(): RequestBody | undefined {
    return this.#all.values().next().value;
  }

  oldestOf(address: string): RequestBody | undefined {
    return this.#byAddress.get(address)?.values().next().value;
  }

  [Symbol.iterator](): Iterator<RequestBody> {
    return this.#all.values();
  }
}

/** Whether a body follows the headers of a request. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

function tooManyBodies(): ApiError {
  const message =
    'This address is sending too many request bodies at once. Wait for the number of seconds in `Retry-After`, then send fewer at a time.';
  return new ApiError('rate_limited', { message, retryAfterSeconds: 1 });
}

function tooSlow(): ApiError {
  const message =
    'The request body arrived too slowly. Send the request again, over a faster connection or in smaller parts.';
  return new ApiError('rate_limited', { message, retryAfterSeconds: 1 });
}
