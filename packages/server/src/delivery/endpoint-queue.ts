import type { Context } from '../context.ts';
import { attemptDelivery } from '../services/webhooks/attempt-delivery.ts';
import type { Parcel } from '../services/webhooks/group-deliveries.ts';
import type { Endpoint } from '../store/deliveries.ts';
import { Breaker } from './breaker.ts';
import type { Settler } from './settler.ts';

/** Requests at once to one endpoint. */
const mostInFlight = 8;
/** Parcels that wait in memory for their turn. */
const mostWaiting = 32;
/** How old may be what is known of an endpoint when a request is made: so soon does a new address or a pause take effect. */
const freshMs = 500;

export interface EndpointQueueParts {
  ctx: Pick<Context, 'clock' | 'keyring' | 'outbound' | 'metrics' | 'log'>;
  settler: Settler;
  /** How the endpoint stands now; null when it is not to be sent to. */
  readEndpoint: () => Promise<Endpoint | null>;
  /** There is room for more. */
  onRoom: () => void;
  mayStart: () => boolean;
}

/** What goes to one endpoint: some at a time, those of one user one after the other, none faster than it is allowed. */
export class EndpointQueue {
  readonly #parts: EndpointQueueParts;
  readonly #breaker = new Breaker();
  #end = new AbortController();
  #waiting: Parcel[] = [];
  /** Events that were read and are not settled yet. */
  readonly #held = new Set<string>();
  readonly #busyUsers = new Set<string | null>();
  #inFlight = 0;
  #endpoint: Endpoint | null = null;
  #readAt = -Infinity;
  #nextStartAt = -Infinity;
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: EndpointQueueParts) {
    this.#parts = parts;
  }

  /** How many parcels more it can take. */
  get room(): number {
    const most = this.#breaker.isOpen ? 1 - this.#inFlight : mostWaiting;
    return Math.max(0, most - this.#waiting.length);
  }

  /** Whether the endpoint has failed so often that it is asked only now and then. */
  get isPaused(): boolean {
    return this.#breaker.isOpen;
  }

  get held(): Iterable<string> {
    return this.#held;
  }

  get isIdle(): boolean {
    return this.#held.size === 0;
  }

  /** Whether nothing would be different had it never been: no failures to remember, and no pause to keep. */
  get isForgettable(): boolean {
    return this.isIdle && !this.isPaused && performance.now() > this.#nextStartAt;
  }

  /** Takes what is due, with what is known of the endpoint at this moment. */
  take(endpoint: Endpoint, parcels: readonly Parcel[]): void {
    this.#endpoint = endpoint;
    this.#readAt = performance.now();
    for (const { delivery, merged } of parcels)
      for (const { eventId } of [delivery, ...merged]) this.#held.add(eventId);
    this.#waiting.push(...parcels);
    this.pump();
  }

  /** Lets go of what has not been started: it stays pending. */
  drop(): void {
    for (const { delivery, merged } of this.#waiting)
      for (const { eventId } of [delivery, ...merged]) this.#held.delete(eventId);
    this.#waiting = [];
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Gives up the requests that are under way, as if they had never been: whoever sends to the endpoint from now on makes them again. */
  abandon(): void {
    this.#end.abort();
    this.#end = new AbortController();
  }

  /** Starts what may be started. */
  pump(): void {
    while (this.#waiting.length > 0 && this.#parts.mayStart()) {
      if (this.#inFlight >= (this.#breaker.isOpen ? 1 : mostInFlight)) return;
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
    // A clock that a test moves forward ends a pause sooner.
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
      void settler.settle(outcome).then(() => this.#release(parcel));
    } catch (error) {
      if (signal.aborted) return;
      // Such as a secret that cannot be opened: it comes back, but not at once.
      this.#breaker.failed(ctx.clock.now());
      ctx.log.error({ err: error }, 'delivery not attempted');
    } finally {
      this.#inFlight -= 1;
      this.#busyUsers.delete(userId);
      if (!isAttempted) this.#release(parcel);
    }
    this.pump();
  }

  #release({ delivery, merged }: Parcel): void {
    for (const { eventId } of [delivery, ...merged]) this.#held.delete(eventId);
    if (this.room > mostWaiting / 2 || this.#breaker.isOpen) this.#parts.onRoom();
  }

  /** The endpoint as it is now; null, with everything dropped, when nothing is to be sent to it. */
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
