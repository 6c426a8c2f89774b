import { ApiError, ConnectionError } from './errors.ts';
import { EventStream } from './event-stream.ts';
import type { Event, EventFeed } from './generated/types.ts';
import type { Transport } from './transport.ts';
import { backoff, wait } from './wait.ts';

/** Which events to follow, and from where. */
export interface FollowOptions {
  /** The cursor of the last event that you processed. */
  cursor?: string | undefined;
  /** Where to start without a cursor. Default `now`. */
  from?: 'now' | 'beginning' | undefined;
  /** Only events of these types. */
  type?: Event['event_type'] | readonly Event['event_type'][] | undefined;
  /** Only events of this user. */
  user_id?: string | undefined;
  /** Ends the loop. */
  signal?: AbortSignal | undefined;
  /** Called when the source of events changes. `feed` means that the live stream does not work, and the feed is polled. */
  onSource?: ((source: 'stream' | 'feed') => void) | undefined;
}

/** An event, and the cursor after it. Store both in one transaction, and pass the cursor to `follow` after a restart. */
export interface FollowedEvent {
  event: Event;
  cursor: string;
}

/** The service sends a message or a heartbeat at least every 15 seconds, and the first message at once. */
const silenceMs = 45_000;
const firstMessageMs = 10_000;
const pollMs = 2_000;
const feedPage = 1_000;
const mostStreamDelayMs = 60_000;
const mostFeedDelayMs = 10_000;
/** Separates a cursor of the service from the last processed event of the page after it. */
const separator = '~';

/** Yields every event after the cursor once and in order: from the live stream, and from the feed while the stream is down. */
export async function* followEvents(
  transport: Transport,
  options: FollowOptions,
): AsyncGenerator<FollowedEvent, void> {
  const reader = new Reader(transport, options);
  try {
    yield* reader.run();
  } catch (error) {
    if (!options.signal?.aborted) throw error;
  }
}

class Reader {
  readonly #transport: Transport;
  readonly #options: FollowOptions;
  readonly #filter: Record<string, string>;
  /** Null until the stream has reported the current position. */
  #cursor: string | null;
  /** The last processed event of the page after the cursor. */
  #through: string | undefined;
  #source: 'stream' | 'feed' | null = null;

  constructor(transport: Transport, options: FollowOptions) {
    this.#transport = transport;
    this.#options = options;
    const { type, user_id, from, cursor = '' } = options;
    const [position = '', through] = cursor.split(separator);
    this.#through = through;
    // In the first page of the feed, the position is empty.
    this.#cursor = cursor !== '' || from === 'beginning' ? position : null;
    this.#filter = {
      ...(type === undefined ? {} : { type: String(type) }),
      ...(user_id === undefined ? {} : { user_id }),
    };
  }

  async *run(): AsyncGenerator<FollowedEvent, void> {
    const { signal } = this.#options;
    let [streamFailures, feedFailures, streamAt] = [0, 0, 0];
    // oxlint-disable-next-line no-unmodified-loop-condition -- the signal changes
    while (!signal?.aborted) {
      // The stream cannot start in the middle of a page or at the beginning.
      if (Date.now() >= streamAt && this.#through === undefined && this.#cursor !== '') {
        const end = yield* this.#readStream();
        streamFailures = end.hasWorked ? 0 : streamFailures + 1;
        const delayMs = end.hasWorked ? end.retryMs : backoff(streamFailures, mostStreamDelayMs);
        streamAt = Date.now() + Math.max(delayMs, end.retryAfterMs);
      }
      let waitMs = streamAt - Date.now();
      if (this.#cursor !== null && !signal?.aborted) {
        const failure = yield* this.#readFeed();
        feedFailures = failure ? feedFailures + 1 : 0;
        if (failure) waitMs = Math.max(backoff(feedFailures, mostFeedDelayMs), failure.retryAfterMs);
        else {
          if (streamFailures > 0) this.#report('feed');
          waitMs = Math.min(pollMs, streamAt - Date.now());
        }
      }
      if (waitMs > 0) await wait(waitMs, signal);
    }
  }

  #report(source: 'stream' | 'feed'): void {
    if (this.#source === source) return;
    this.#source = source;
    this.#options.onSource?.(source);
  }

  /** Yields events of one stream until it ends, and returns how it did. */
  async *#readStream(): AsyncGenerator<
    FollowedEvent,
    { hasWorked: boolean; retryMs: number; retryAfterMs: number }
  > {
    const stream = new EventStream();
    let hasWorked = false;
    let retryAfterMs = 0;
    try {
      for await (const chunk of this.#chunks(() => hasWorked)) {
        for (const { event, data, id } of stream.push(chunk)) {
          hasWorked = true;
          this.#report('stream');
          this.#cursor = id;
          if (event !== 'feed.position') yield { event: JSON.parse(data) as Event, cursor: id };
        }
      }
    } catch (error) {
      retryAfterMs = delayOf(error, this.#options.signal);
    }
    return { hasWorked, retryMs: Math.random() * (stream.retryMs ?? 1_000), retryAfterMs };
  }

  /** The text of a stream. Fails if nothing arrives for too long, as when a proxy holds it back. */
  async *#chunks(hasWorked: () => boolean): AsyncGenerator<string, void> {
    const { signal } = this.#options;
    const controller = new AbortController();
    const onAbort = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = (): void => {
      clearTimeout(timer);
      const late = new ConnectionError('The stream is silent.');
      timer = setTimeout(() => controller.abort(late), hasWorked() ? silenceMs : firstMessageMs);
    };
    try {
      watch();
      const query = { ...this.#filter, ...(this.#cursor === null ? {} : { cursor: this.#cursor }) };
      const response = await this.#transport.open(
        { method: 'GET', path: '/v1/events/stream', query, isRepeatable: true },
        controller.signal,
      );
      const chunks = response.body!.getReader();
      const decoder = new TextDecoder();
      for (;;) {
        const { done, value } = await chunks.read();
        if (done) return;
        // Time that the consumer takes for an event is not silence.
        clearTimeout(timer);
        yield decoder.decode(value, { stream: true });
        watch();
      }
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      controller.abort();
    }
  }

  /** Yields all events that the feed has after the cursor. Returns how the feed failed, or null. */
  async *#readFeed(): AsyncGenerator<FollowedEvent, { retryAfterMs: number } | null> {
    try {
      for (let hasMore = true; hasMore;) {
        const page = await this.#readPage();
        const start = this.#cursor ?? '';
        const done = page.events.findIndex(({ event_id }) => event_id === this.#through);
        for (const event of page.events.slice(done + 1)) {
          const isLast = event === page.events.at(-1);
          this.#through = event.event_id;
          yield { event, cursor: isLast ? page.cursor : `${start}${separator}${event.event_id}` };
        }
        this.#cursor = page.cursor;
        this.#through = undefined;
        hasMore = page.has_more;
      }
      return null;
    } catch (error) {
      return { retryAfterMs: delayOf(error, this.#options.signal) };
    }
  }

  async #readPage(): Promise<EventFeed> {
    const { text } = await this.#transport.send({
      method: 'GET',
      path: '/v1/events',
      query: { ...this.#filter, cursor: this.#cursor ?? '', limit: feedPage },
      isRepeatable: true,
      options: { maxRetries: 0, signal: this.#options.signal },
    });
    return JSON.parse(text) as EventFeed;
  }
}

/** How long to wait after an error. Throws errors that waiting does not resolve. */
function delayOf(error: unknown, signal: AbortSignal | undefined): number {
  if (signal?.aborted) throw error;
  if (!(error instanceof ApiError)) return 0;
  const isFinal = error.status >= 400 && error.status < 500 && error.status !== 408 && error.status !== 429;
  // A proxy may reject the stream with any status, but only the service knows error codes.
  if (isFinal && error.code !== 'unexpected_response') throw error;
  return error.retryAfterMs ?? 0;
}
