import { createParser } from 'eventsource-parser';

/** A server-sent event. */
export interface StreamMessage {
  event: string;
  data: string;
  /** The last ID that the server sent, which a message without its own ID repeats. */
  id: string;
}

/** No message of ours is nearly this long: a longer one is not an event stream. */
const mostCharacters = 1_048_576;
/** A longer delay exceeds what timers support. */
const mostRetryMs = 999_999_999;

/** Parses server-sent events from text chunks of any size. A message is complete once the blank line after it arrives. */
export class StreamParser {
  /** The reconnection delay requested by the server; null without one. */
  retryMs: number | null = null;
  #id = '';
  #messages: StreamMessage[] = [];
  readonly #parser = createParser({
    maxBufferSize: mostCharacters,
    onId: (id) => (this.#id = id),
    onEvent: ({ event = 'message', data }) => this.#messages.push({ event, data, id: this.#id }),
    onRetry: (ms) => {
      if (ms <= mostRetryMs) this.retryMs = ms;
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded')
        throw new Error(`a message of the stream is longer than ${mostCharacters} characters`);
    },
  });

  /** The messages that this chunk completes. */
  push(text: string): StreamMessage[] {
    this.#parser.feed(text);
    return this.#messages.splice(0);
  }
}
