import type { ServerResponse } from 'node:http';
import { minuteMs } from '@tributary/domain';
import type { Tenant } from '../../store/database/tenant.ts';
import { heartbeat, printPosition } from './stream-text.ts';

/** An event serialized once for all readers. */
export interface Message {
  position: number;
  type: string;
  userId: string;
  text: string;
}

/** The events between two positions of a feed that a reader subscribed to. */
export interface Stretch {
  after: number;
  upTo: number;
  messages: readonly Message[];
}

export interface ReaderOptions {
  tenant: Tenant;
  /** The reader has all its events up to this position. */
  place: number;
  types: readonly string[] | null;
  userId: string | null;
  sealCursor: (place: number) => string;
  /** Time without output after which the reader gets a heartbeat. */
  beatEveryMs: number;
  /** Returns whether its credential is still valid. */
  isAllowed: () => Promise<boolean>;
}

/** Maximum size of one write. Bounds the memory per reader beyond the socket's own buffer. */
const mostCharacters = 16_384;
/** A reader that accepts no data for this long is disconnected, and can reconnect later. */
const mostStallMs = minuteMs;

/** A live stream and its position in the feed. Events that its socket does not accept are not buffered but read again later. */
export class FeedReader {
  readonly tenant: Tenant;
  readonly types: readonly string[] | null;
  readonly userId: string | null;
  readonly isAllowed: () => Promise<boolean>;
  readonly #types: ReadonlySet<string> | null;
  readonly #sealCursor: (place: number) => string;
  readonly #beatEveryMs: number;
  readonly #response: ServerResponse;
  #place: number;
  /** The last position that was sent to the reader. */
  #sentPosition: number;
  #wroteAt = performance.now();

  constructor(response: ServerResponse, options: ReaderOptions) {
    this.tenant = options.tenant;
    this.types = options.types;
    this.userId = options.userId;
    this.isAllowed = options.isAllowed;
    this.#types = options.types && new Set(options.types);
    this.#sealCursor = options.sealCursor;
    this.#beatEveryMs = options.beatEveryMs;
    this.#response = response;
    this.#place = options.place;
    this.#sentPosition = options.place;
  }

  get place(): number {
    return this.#place;
  }

  /** Whether the stream is open and its socket is not full. */
  get isReady(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed && !this.#response.writableNeedDrain;
  }

  /** Writes the events it subscribed to until the socket is full, and stores the position where it stopped. */
  take({ messages, upTo }: Stretch): void {
    if (!this.isReady) return;
    let text = '';
    let last = this.#place;
    for (const message of messages) {
      if (message.position <= this.#place || !this.#wants(message)) continue;
      text += message.text;
      last = message.position;
      if (text.length < mostCharacters) continue;
      this.#write(text, last);
      text = '';
      if (!this.isReady) return;
    }
    if (text !== '') this.#write(text, last);
    this.#place = upTo;
  }

  /** Sends a heartbeat, or the current position if it has changed, after a time without output. */
  beat(now: number): void {
    if (now - this.#wroteAt < this.#beatEveryMs) return;
    if (this.isReady)
      this.#write(
        this.#place === this.#sentPosition ? heartbeat : printPosition(this.#sealCursor(this.#place)),
        this.#place,
      );
    else if (now - this.#wroteAt > mostStallMs) this.#response.destroy();
  }

  /** Ends the stream cleanly, or destroys it if the client is not reading. The client reconnects with its last event ID. */
  end(): void {
    if (this.isReady) this.#response.end();
    else this.#response.destroy();
  }

  #wants({ type, userId }: Message): boolean {
    return (this.#types?.has(type) ?? true) && (this.userId === null || this.userId === userId);
  }

  #write(text: string, place: number): void {
    this.#response.write(text);
    this.#wroteAt = performance.now();
    this.#place = place;
    this.#sentPosition = place;
  }
}
