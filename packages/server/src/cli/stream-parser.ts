/** A message of a stream of server-sent events. */
export interface StreamMessage {
  event: string;
  data: string;
  id: string;
}

/** No message of ours comes near it: whatever answers so is no stream of events. */
const mostCharacters = 1_048_576;

/** Reads server-sent events from text that comes in pieces of any size. A message counts once the blank line after it is there. */
export class StreamParser {
  /** What the server asks to wait before coming back; null when it did not say. */
  retryMs: number | null = null;
  #rest = '';
  #event = '';
  #data: string[] = [];
  #id = '';

  /** The messages that this piece completes. */
  push(text: string): StreamMessage[] {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    if (this.#rest.length > mostCharacters) throw new Error('a line of the stream has no end');
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
