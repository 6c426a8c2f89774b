import type { Context } from '../context.ts';
import { attemptDelivery } from '../services/webhooks/deliveries/attempt-delivery.ts';
import type { Parcel } from '../services/webhooks/deliveries/group-deliveries.ts';
import type { Endpoint } from '../store/webhooks/deliveries.ts';
import { Breaker } from './breaker.ts';
import type { ResultRecorder } from './result-recorder.ts';

/** Maximum parcels queued in memory, for each request that may be in flight. */
const waitingPerRequest = 4;
/** Maximum age of cached endpoint settings. Bounds how quickly URL changes and pauses take effect. */
const freshMs = 500;

export interface EndpointQueueParts {
  ctx: Pick<Context, 'clock' | 'config' | 'keyring' | 'outbound' | 'metrics' | 'log'>;
  settler: ResultRecorder;
  /** Reads the current settings of the endpoint; null if nothing may be sent to it. */
  readEndpoint: () => Promise<Endpoint | null>;
  /** Called when the queue has capacity again. */
  onRoom: () => void;
  mayStart: () => boolean;
}

/** The queue of one endpoint. Sends several requests in parallel, one at a time per user, within the rate limit. */
export class EndpointQueue {
  readonly #parts: EndpointQueueParts;
  readonly #breaker = new Breaker();
  #end = new AbortController();
  #waiting: Parcel[] = [];
  /** Events that were read and whose results are not recorded yet. */
  readonly #pendingIds = new Set<string>();
  readonly #busyUsers = new Set<string | null>();
  #inFlight = 0;
  #endpoint: Endpoint | null = null;
  #readAt = -Infinity;
  #nextStartAt = -Infinity;
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: EndpointQueueParts) {
    this.#parts = parts;
  }

  /** Number of parcels it can still accept. */
  get room(): number {
    const most = this.#breaker.isOpen ? 1 - this.#inFlight : this.#mostWaiting;
    return Math.max(0, most - this.#waiting.length);
  }

  get #mostWaiting(): number {
    return waitingPerRequest * this.#parts.ctx.config.webhooks.requestsPerEndpoint;
  }

  /** Whether the breaker is open, so that the endpoint gets requests only at intervals. */
  get isPaused(): boolean {
    return this.#breaker.isOpen;
  }

  get pendingIds(): Iterable<string> {
    return this.#pendingIds;
  }

  get isIdle(): boolean {
    return this.#pendingIds.size === 0;
  }

  /** Whether it holds no state: no deliveries, no failures to remember and no pause. */
  get isForgettable(): boolean {
    return this.isIdle && !this.isPaused && performance.now() > this.#nextStartAt;
  }

  /** Accepts due parcels, with the endpoint settings read at the same time. */
  take(endpoint: Endpoint, parcels: readonly Parcel[]): void {
    this.#endpoint = endpoint;
    this.#readAt = performance.now();
    for (const { delivery, merged } of parcels)
      for (const { eventId } of [delivery, ...merged]) this.#pendingIds.add(eventId);
    this.#waiting.push(...parcels);
    this.pump();
  }

  /** Drops parcels that have not started. They stay pending. */
  drop(): void {
    for (const { delivery, merged } of this.#waiting)
      for (const { eventId } of [delivery, ...merged]) this.#pendingIds.delete(eventId);
    this.#waiting = [];
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Aborts open requests without a result. The next dispatcher of the endpoint sends them again. */
  abandon(): void {
    this.#end.abort();
    this.#end = new AbortController();
  }

  pump(): void {
    while (this.#waiting.length > 0 && this.#parts.mayStart()) {
      if (this.#inFlight >= (this.#breaker.isOpen ? 1 : this.#parts.ctx.config.webhooks.requestsPerEndpoint))
        return;
      const pause = this.#pauseMs();
      if (pause > 0) return this.#pumpAfter(pause);
      const at = this.#waiting.findIndex(({ delivery }) => !this.#busyUsers.has(delivery.userId));
      if (at < 0) return;
      const [parcel] = this.#waiting.splice(at, 1);
      const { rateLimit = null } = this.#endpoint ?? {};
      if (rateLimit !== null) this.#nextStartAt = performance.now() + 1_000 / rateLimit;
      void this.#start(parcel!);
    }
  }

  #pauseMs(): number {
    const { clock } = this.#parts.ctx;
    const paused = this.#breaker.pausedUntil - clock.now();
    return Math.max(paused, this.#nextStartAt - performance.now());
  }

  #pumpAfter(ms: number): void {
    if (this.#timer) return;
    // Capped so that a clock moved forward by a test ends a pause sooner.
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.pump();
      },
      Math.min(ms, 250),
    );
  }

  async #start(parcel: Parcel): Promise<void> {
    const { ctx, settler } = this.#parts;
    const { signal } = this.#end;
    const { userId } = parcel.delivery;
    this.#inFlight += 1;
    this.#busyUsers.add(userId);
    let isAttempted = false;
    try {
      const endpoint = await this.#freshEndpoint();
      if (!endpoint) return;
      const outcome = await attemptDelivery(ctx, endpoint, parcel, signal);
      isAttempted = true;
      ctx.metrics.deliveryAttempts.inc({ outcome: outcome.state });
      ctx.metrics.deliverySeconds.observe(outcome.attempt.milliseconds / 1000);
      if (outcome.state === 'succeeded') this.#breaker.succeeded();
      else this.#breaker.failed(ctx.clock.now());
      void settler.record(outcome).then(() => this.#release(parcel));
    } catch (error) {
      if (signal.aborted) return;
      // For example, a secret that cannot be decrypted. It is retried after a pause.
      this.#breaker.failed(ctx.clock.now());
      ctx.log.error({ err: error }, 'failed to attempt a delivery');
    } finally {
      this.#inFlight -= 1;
      this.#busyUsers.delete(userId);
      if (!isAttempted) this.#release(parcel);
    }
    this.pump();
  }

  #release({ delivery, merged }: Parcel): void {
    for (const { eventId } of [delivery, ...merged]) this.#pendingIds.delete(eventId);
    if (this.room > this.#mostWaiting / 2 || this.#breaker.isOpen) this.#parts.onRoom();
  }

  /** The current endpoint. Drops everything and returns null if nothing may be sent to it. */
  async #freshEndpoint(): Promise<Endpoint | null> {
    if (performance.now() - this.#readAt > freshMs) {
      this.#endpoint = await this.#parts.readEndpoint();
      this.#readAt = performance.now();
    }
    if (this.#endpoint?.status === 'active') return this.#endpoint;
    this.drop();
    return null;
  }
}
