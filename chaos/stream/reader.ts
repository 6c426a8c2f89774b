import { request, type ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type StreamMessage, StreamParser } from '@tributary/server/testing/events';
import { numberInId, type Random } from '@tributary/rig';
import { queryOf, type Filter } from './kinds.ts';

export interface ReaderOptions {
  /** Addresses of the nodes, and the one to begin with. */
  nodes: readonly string[];
  home: number;
  key: string;
  tenant: number;
  filter: Filter;
  /** Null to begin with what comes from now on. */
  cursor: string | null;
  /** How often a connection breaks off after some bytes. */
  cutPart: number;
  random: Random;
  /** Told of every event, with the moment at which the reader began to listen. */
  onEvent: (number: number, listensSince: number) => void;
}

const mostBytes = 20_000;
const refusedMs = 100;

/** Follows a stream through all that befalls it, as a client for server-sent events does: it keeps the last id, and comes back with it. */
export class StreamReader {
  readonly tenant: number;
  readonly filter: Filter;
  /** Numbers of the events that came, in their order. */
  readonly taken: number[] = [];
  /** Where its first stream began, as the service told. */
  firstCursor: string | null = null;
  connections = 0;
  cuts = 0;
  /** Moments at which a stream began. */
  readonly begunAt: number[] = [];
  /** Answers other than a stream. */
  readonly refusals: string[] = [];
  /** The node that it talks to, or would. */
  home: number;
  readonly #options: ReaderOptions;
  #lastId: string | null = null;
  #outgoing: ClientRequest | null = null;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.tenant = options.tenant;
    this.filter = options.filter;
    this.home = options.home;
  }

  /** Breaks off whatever is under way, wherever it stands, and goes on at another node. */
  moveTo(node: number): void {
    this.home = node;
    this.#outgoing?.destroy();
  }

  async run(until: AbortSignal): Promise<void> {
    const stop = (): void => void this.#outgoing?.destroy();
    until.addEventListener('abort', stop);
    while (!until.aborted) {
      const waitMs = await this.#follow();
      await sleep(waitMs, undefined, { signal: until }).catch(() => {});
    }
    until.removeEventListener('abort', stop);
  }

  /** One connection, until it is over; answers how long to wait before the next. */
  #follow(): Promise<number> {
    const { nodes, key, cursor, cutPart, random } = this.#options;
    const query = queryOf(this.filter);
    if (cursor !== null) query.set('cursor', cursor);
    const parser = new StreamParser();
    let left = random.chance(cutPart) ? random.int(1, mostBytes) : Infinity;
    return new Promise((resolve) => {
      const outgoing = request(`${nodes[this.home]}/v1/events/stream?${query.toString()}`, {
        agent: false,
        headers: {
          authorization: `Bearer ${key}`,
          ...(this.#lastId === null ? {} : { 'last-event-id': this.#lastId }),
        },
      });
      this.#outgoing = outgoing;
      outgoing.once('error', () => {
        // Nobody there: the balancer would know another one.
        this.home = (this.home + 1) % nodes.length;
        resolve(refusedMs);
      });
      outgoing.once('response', (response) => {
        const status = response.statusCode ?? 0;
        if (status !== 200) {
          this.refusals.push(String(status));
          response.resume();
          return resolve(1000 * Number(response.headers['retry-after'] ?? 1));
        }
        this.connections += 1;
        const listensSince = performance.now();
        this.begunAt.push(listensSince);
        response.setEncoding('latin1');
        response.on('error', () => {}); // `close` follows
        response.on('data', (piece: string) => {
          if (left <= 0) return;
          for (const message of parser.push(piece.slice(0, left))) this.#take(message, listensSince);
          left -= piece.length;
          if (left > 0) return;
          this.cuts += 1;
          outgoing.destroy();
        });
        response.once('close', () => resolve(parser.retryMs ?? 1_000));
      });
      outgoing.end();
    });
  }

  #take({ event, data, id }: StreamMessage, listensSince: number): void {
    this.#lastId = id;
    this.firstCursor ??= id;
    if (event === 'feed.position') return;
    const number = numberInId(/"event_id":"(\w+)"/.exec(data)![1]!);
    this.taken.push(number);
    this.#options.onEvent(number, listensSince);
  }
}
