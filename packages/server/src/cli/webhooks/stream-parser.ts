/** A server-sent event. */
export interface StreamMessage {
  event: string;
  data: string;
  id: string;
}

/** No message of ours is nearly this long: a longer one is not an event stream. */
const mostCharacters = 1_048_576;

/** Parses server-sent events from text chunks of any size. A message is complete once the blank line after it arrives. */
export class StreamParser {
  /** The reconnection delay requested by the server; null without one. */
  retryMs: number | null = null;
  #rest = '';
  #event = '';
  #data: string[] = [];
  #id = '';

  /** The messages that this chunk completes. */
  push(text: string): StreamMessage[] {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    if (this.#rest.length > mostCharacters)
      throw new Error(`a line of the stream is longer than ${mostCharacters} characters`);
    return lines.flatMap((line) => this.#read(line.endsWith('\r') ? line.slice(0, -1) : line));
  }

  #read(line: string): StreamMessage[] {
    if (line === '') return this.#finish();
    const at = line.indexOf(':');
    const [field, value] = at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')];
    if (field === 'event') this.#event = value;
    if (field === 'data') this.#data.push(value);
    if (field === 'id') this.#id = value;
    if (field === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
    return [];
  }

  #finish(): StreamMessage[] {
    const message = { event: this.#event || 'message', data: this.#data.join('\n'), id: this.#id };
    const hasData = this.#data.length > 0;
    this.#event = '';
    this.#data = [];
    return hasData ? [message] : [];
  }
}
