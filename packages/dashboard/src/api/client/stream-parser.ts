export interface StreamMessage {
  id: string;
  event: string;
  data: string;
}

/** Parses server-sent events from chunks that may end anywhere. */
export class StreamParser {
  /** How long the server asks clients to wait before reconnecting. */
  retryMs: number | null = null;
  #rest = '';
  #lastId = '';
  #event = '';
  #data: string[] = [];

  push(piece: string): StreamMessage[] {
    const lines = (this.#rest + piece).split('\n');
    this.#rest = lines.pop()!;
    return lines.flatMap((line) => this.#take(line.endsWith('\r') ? line.slice(0, -1) : line));
  }

  #take(line: string): StreamMessage[] {
    if (line === '') return this.#finish();
    const colon = line.indexOf(':');
    if (colon === 0) return [];
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'id') this.#lastId = value;
    if (name === 'event') this.#event = value;
    if (name === 'data') this.#data.push(value);
    if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
    return [];
  }

  #finish(): StreamMessage[] {
    const message = { id: this.#lastId, event: this.#event || 'message', data: this.#data.join('\n') };
    const complete = this.#data.length > 0;
    this.#event = '';
    this.#data = [];
    return complete ? [message] : [];
  }
}
