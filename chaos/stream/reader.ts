import { request, type ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { StreamParser, type StreamMessage } from '@tributary/contract/stream-parser';
import { numberInId, type Random } from '@tributary/rig';
import { queryOf, type Filter } from './kinds.ts';

export interface ReaderOptions {
  /** Addresses of the nodes, and the index of the first one to use. */
  nodes: readonly string[];
  home: number;
  key: string;
  tenant: number;
  filter: Filter;
  /** Null to start with new events. */
  cursor: string | null;
  /** Probability that a connection breaks after some bytes. */
  breakProbability: number;
  random: Random;
  /** Called for every event, with the time at which the reader connected. */
  onEvent: (number: number, listensSince: number) => void;
}

const mostBytes = 20_000;
const refusedMs = 100;

/** Follows a stream through all interruptions, as an SSE client does: it stores the last id and reconnects with it. */
export class StreamReader {
  readonly tenant: number;
  readonly filter: Filter;
  /** Numbers of the received events, in order. */
  readonly eventNumbers: number[] = [];
  /** The cursor at which its first stream started, as sent by the service. */
  firstCursor: string | null = null;
  connections = 0;
  breaks = 0;
  /** Times at which a stream started. */
  readonly begunAt: number[] = [];
  /** Responses other than a stream. */
  readonly refusals: string[] = [];
  /** Index of the node that it connects to. */
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

  /** Breaks the current connection and continues on another node. */
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

  /** Follows one connection until it ends. Returns how long to wait before the next. */
  #follow(): Promise<number> {
    const { nodes, key, cursor, breakProbability, random } = this.#options;
    const query = queryOf(this.filter);
    if (cursor !== null) query.set('cursor', cursor);
    const parser = new StreamParser();
    let left = random.chance(breakProbability) ? random.int(1, mostBytes) : Infinity;
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
        // The node is down. A load balancer would route to another one.
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
          this.breaks += 1;
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
    this.eventNumbers.push(number);
    this.#options.onEvent(number, listensSince);
  }
}
