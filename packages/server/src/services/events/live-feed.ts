import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '@tributary/contract';
import type { Core } from '../../core.ts';
import type { FeedEvent } from '../../store/events/feed.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { sealEventsCursor } from './events-cursor.ts';
import type { FeedReader, Stretch } from './feed-reader.ts';
import { scanFeed } from './scan-feed.ts';
import { printEvent } from './stream-text.ts';
import type { Semaphore } from '../../semaphore.ts';

/** Events per read, and readers served before the event loop gets control. */
const pageSize = 250;
const mostReaders = 200;
/** How long the newest events stay cached, and how many, so that readers close to the head need no read of their own. */
const rememberMs = 5_000;
const mostRemembered = 2_000;

/** Limits on concurrent reads, shared by all feeds of a process, so that requests still get a connection. */
export interface FeedReads {
  live: Semaphore;
  history: Semaphore;
}

/**
 * The feed of a tenant while it has readers. New events are read and serialized once for all readers. A reader that is further behind, because it
 * started in the past or its socket was full, reads on its own until it reaches the cached events.
 */
export class LiveFeed {
  readonly tenant: Tenant;
  readonly readers = new Set<FeedReader>();
  readonly #ctx: Pick<Core, 'db' | 'keyring' | 'log'>;
  readonly #reads: FeedReads;
  readonly #busy = new Set<FeedReader>();
  /** Contiguous, up to the current position. */
  #newest: (Stretch & { at: number })[] = [];
  /** Everything up to here was read and sent. */
  #place: number;
  #head: number;
  #isReading = false;

  constructor(
    ctx: Pick<Core, 'db' | 'keyring' | 'log'>,
    reads: FeedReads,
    { tenant, head }: { tenant: Tenant; head: number },
  ) {
    this.#ctx = ctx;
    this.#reads = reads;
    this.tenant = tenant;
    this.#place = head;
    this.#head = head;
  }

  /** Updates the head of the feed and sends new events. */
  grow(head: number): void {
    this.#head = Math.max(this.#head, head);
    if (!this.#isReading && this.#head > this.#place) void this.#follow();
  }

  /** Sends a reader the events it is missing until its socket is full. */
  async serve(reader: FeedReader): Promise<void> {
    if (this.#busy.has(reader)) return;
    this.#busy.add(reader);
    try {
      while (reader.isReady && reader.place < this.#place)
        reader.take(this.#remembered(reader.place) ?? (await this.#readFor(reader)));
    } catch (error) {
      // The next events were pruned. The client gets the error when it reconnects. Any other error is retried later.
      if (error instanceof ApiError) reader.end();
      else this.#ctx.log.debug({ err: error }, 'failed to read events for one stream'); // debug, because there may be thousands of streams
    } finally {
      this.#busy.delete(reader);
    }
  }

  /** Call it periodically. It evicts old events and serves readers that are behind, also after a failed read. */
  maintain(now: number): void {
    this.#newest = this.#newest.filter(({ at }) => now - at < rememberMs);
    for (const reader of this.readers) {
      void this.serve(reader);
      reader.beat(now);
    }
  }

  async #follow(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#place < this.#head && this.readers.size > 0) {
        const stretch = await this.#reads.live(() => this.#read(this.#place));
        if (stretch.upTo === this.#place) break;
        this.#remember(stretch);
        let served = 0;
        for (const reader of this.readers) {
          void this.serve(reader);
          served += 1;
          if (served % mostReaders === 0) await nextTurn();
        }
      }
    } catch (error) {
      this.#ctx.log.warn({ err: error }, 'failed to read events');
    } finally {
      this.#isReading = false;
    }
  }

  #remember(stretch: Stretch): void {
    this.#newest.push({ ...stretch, at: performance.now() });
    while (stretch.upTo - this.#newest[0]!.after > mostRemembered) this.#newest.shift();
    this.#place = stretch.upTo;
  }

  /** The cached stretch that contains the position after this one. */
  #remembered(place: number): Stretch | undefined {
    return this.#newest.findLast(({ after, upTo }) => after <= place && place < upTo);
  }

  #readFor(reader: FeedReader): Promise<Stretch> {
    return this.#reads.history(() => this.#read(reader.place, reader));
  }

  async #read(
    after: number,
    { types, userId }: Pick<FeedReader, 'types' | 'userId'> = { types: null, userId: null },
  ): Promise<Stretch> {
    const { events, reached } = await scanFeed(this.#ctx, this.tenant, {
      after,
      limit: pageSize,
      types,
      userId,
    });
    return { after, upTo: reached, messages: events.map((event) => this.#print(event)) };
  }

  #print(event: FeedEvent) {
    const { position, type, userId } = event;
    return {
      position,
      type,
      userId,
      text: printEvent(event, sealEventsCursor(this.#ctx, this.tenant, position)),
    };
  }
}
