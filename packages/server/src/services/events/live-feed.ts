import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '@tributary/contract';
import type { Context } from '../../context.ts';
import type { FeedEvent } from '../../store/feed.ts';
import type { Tenant } from '../../store/tenant.ts';
import { sealEventsCursor } from './events-cursor.ts';
import type { FeedReader, Stretch } from './feed-reader.ts';
import { readStretch } from './read-stretch.ts';
import { printEvent } from './stream-text.ts';
import type { Turns } from '../../turns.ts';

/** Events read at once, and readers that are served before others have a turn. */
const pageSize = 250;
const mostReaders = 200;
/** For how long the newest events are remembered, and how many: readers who are almost there need no read of their own. */
const rememberMs = 5_000;
const mostRemembered = 2_000;

/** What all feeds of a process share: few reads at once, so that requests still find a connection. */
export interface FeedReads {
  live: Turns;
  history: Turns;
}

/**
 * The feed of a tenant, for as long as somebody follows it. New events are read and printed once for all readers. A reader that is further
 * behind, since it began in the past or its socket was full, reads by itself until it meets what is remembered here.
 */
export class LiveFeed {
  readonly tenant: Tenant;
  readonly readers = new Set<FeedReader>();
  readonly #ctx: Pick<Context, 'db' | 'keyring' | 'log'>;
  readonly #reads: FeedReads;
  readonly #busy = new Set<FeedReader>();
  /** One after the other without a gap, up to `#place`. */
  #newest: (Stretch & { at: number })[] = [];
  /** Up to here everything was read and given out. */
  #place: number;
  #head: number;
  #isFollowing = false;

  constructor(
    ctx: Pick<Context, 'db' | 'keyring' | 'log'>,
    reads: FeedReads,
    { tenant, head }: { tenant: Tenant; head: number },
  ) {
    this.#ctx = ctx;
    this.#reads = reads;
    this.tenant = tenant;
    this.#place = head;
    this.#head = head;
  }

  /** Takes note of where the feed ends, and gives out what is new. */
  grow(head: number): void {
    this.#head = Math.max(this.#head, head);
    if (!this.#isFollowing && this.#head > this.#place) void this.#follow();
  }

  /** Gives a reader what it does not have yet, as far as its socket takes it. */
  async serve(reader: FeedReader): Promise<void> {
    if (this.#busy.has(reader)) return;
    this.#busy.add(reader);
    try {
      while (reader.isReady && reader.place < this.#place)
        reader.take(this.#remembered(reader.place) ?? (await this.#readFor(reader)));
    } catch (error) {
      // What it is to read next was dropped meanwhile: it is told so when it comes back. Anything else is tried again later.
      if (error instanceof ApiError) reader.end();
      else this.#ctx.log.debug({ err: error }, 'events not read for one'); // there may be thousands
    } finally {
      this.#busy.delete(reader);
    }
  }

  /** To be called now and then: forgets what is old, and serves whoever is behind, also after a read that failed. */
  tend(now: number): void {
    this.#newest = this.#newest.filter(({ at }) => now - at < rememberMs);
    for (const reader of this.readers) {
      void this.serve(reader);
      reader.beat(now);
    }
  }

  async #follow(): Promise<void> {
    this.#isFollowing = true;
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
      this.#ctx.log.warn({ err: error }, 'events not read');
    } finally {
      this.#isFollowing = false;
    }
  }

  #remember(stretch: Stretch): void {
    this.#newest.push({ ...stretch, at: performance.now() });
    while (stretch.upTo - this.#newest[0]!.after > mostRemembered) this.#newest.shift();
    this.#place = stretch.upTo;
  }

  /** The remembered stretch with the place after this one in it. */
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
    const { events, reached } = await readStretch(this.#ctx, this.tenant, {
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
