/** A server-sent event. */
export interface StreamMessage {
  event: string;
  data: string;
  /** The last ID that the server sent. */
  id: string;
}

/** No message of the service is nearly this long. */
const mostCharacters = 1_048_576;

/** Parses server-sent events from chunks of any size. A message is complete once the blank line after it arrives. */
export class EventStream {
  /** The reconnection delay that the server requested. */
  retryMs: number | null = null;
  #id = '';
  #event = '';
  #data: string[] = [];
  #rest = '';
  #isFirst = true;

  /** The messages that this chunk completes. */
  push(chunk: string): StreamMessage[] {
    let text = this.#rest + chunk;
    if (this.#isFirst && text !== '') {
      this.#isFirst = false;
      if (text.startsWith('\uFEFF')) text = text.slice(1);
    }
    // A chunk may end between the two characters of one line end.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop()!;
    if (this.#rest.length > mostCharacters) throw new Error('A message of the stream is too long.');
    return lines.flatMap((line) => this.#take(line));
  }

  #take(line: string): StreamMessage[] {
    if (line === '') return this.#complete();
    const colon = line.indexOf(':');
    if (colon === 0) return [];
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#event = value;
    if (field === 'data') this.#data.push(value);
    if (field === 'id' && !value.includes('\0')) this.#id = value;
    if (field === 'retry' && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
    return [];
  }

  #complete(): StreamMessage[] {
    const [event, data] = [this.#event, this.#data];
    this.#event = '';
    this.#data = [];
    return data.length === 0 ? [] : [{ event: event || 'message', data: data.join('\n'), id: this.#id }];
  }
}
