import type { ServerResponse } from 'node:http';
import type { Tenant } from '../../store/tenant.ts';
import { heartbeat, printPosition } from './stream-text.ts';

/** An event as it goes to every reader that wants it: printed once. */
export interface Message {
  position: number;
  type: string;
  userId: string;
  text: string;
}

/** What was between two places of a feed, as far as a reader asked for it. */
export interface Stretch {
  after: number;
  upTo: number;
  messages: readonly Message[];
}

export interface ReaderOptions {
  tenant: Tenant;
  /** Everything up to here it has, or did not ask for. */
  place: number;
  types: readonly string[] | null;
  userId: string | null;
  sealCursor: (place: number) => string;
  /** After how long without a word the reader is told that it is still served. */
  beatEveryMs: number;
  /** Whether its credential still stands. */
  isAllowed: () => Promise<boolean>;
}

/** Written at once at most, beyond what the socket holds back by itself: bounds what waits for one reader. */
const mostCharacters = 16_384;
/** Whoever takes nothing for so long is gone, or would better come back later. */
const mostStallMs = 60_000;

/** One who follows a feed, and how far it has come. What its socket does not take now is not kept: it is read again later. */
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
  /** The place that the reader was told last. */
  #told: number;
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
    this.#told = options.place;
  }

  get place(): number {
    return this.#place;
  }

  /** Whether writing makes sense: there is somebody, and what was written before is on its way. */
  get isReady(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed && !this.#response.writableNeedDrain;
  }

  /** Writes what it asked for, as far as its socket takes it, and remembers where it stopped. */
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

  /** Says something when nothing was said for long: that the reader is still served, or how far it has come. */
  beat(now: number): void {
    if (now - this.#wroteAt < this.#beatEveryMs) return;
    if (this.isReady)
      this.#write(
        this.#place === this.#told ? heartbeat : printPosition(this.#sealCursor(this.#place)),
        this.#place,
      );
    else if (now - this.#wroteAt > mostStallMs) this.#response.destroy();
  }

  /** Ends the stream in order, or at once when that would have to wait for the client: it comes back with the last id that it has. */
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
    this.#told = place;
  }
}
