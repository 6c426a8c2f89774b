import { setTimeout as sleep } from 'node:timers/promises';
import { Client, numberInId, type Random } from '@tributary/rig';

interface Page {
  events: { event_id: string }[];
  cursor: string;
  has_more: boolean;
}

export interface ReaderOptions {
  node: string;
  key: string;
  tenant: number;
  /** Pause after a page that has no next page. */
  restMs: number;
  /** The page limit is random, between this and 1,000 events. */
  leastLimit: number;
  /** Probability of dying after receiving a page. */
  deathPart: number;
  random: Random;
  onEvent: (number: number) => void;
}

/** A page that a reader received and lost, because it died before it stored the cursor. */
interface LostPage {
  /** Number of events stored before it. */
  after: number;
  numbers: number[];
}

/** Reads a feed over HTTP. Only the cursor of the last stored page survives a death. */
export class Reader {
  readonly tenant: number;
  /** Numbers of the events that it stored, in reading order. */
  readonly eventNumbers: number[] = [];
  readonly lostPages: LostPage[] = [];
  deaths = 0;
  pages = 0;
  /** Responses other than 200. */
  readonly refusals: string[] = [];
  readonly #options: ReaderOptions;
  #storedCursor: string | null = null;
  #client = new Client();

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.tenant = options.tenant;
  }

  /** Reads until aborted, and then to the end of the feed. */
  async run(until: AbortSignal): Promise<void> {
    for (;;) {
      const isLast = until.aborted;
      const startedAt = performance.now();
      const hasMore = await this.#read();
      if (isLast && hasMore === false) break;
      if (hasMore !== true) await sleep(Math.max(0, this.#options.restMs - (performance.now() - startedAt)));
    }
    this.#client[Symbol.dispose]();
  }

  /** Reads one page. Returns whether more events are waiting, or null if the page was lost. */
  async #read(): Promise<boolean | null> {
    const { node, key, leastLimit, random, deathPart, onEvent } = this.#options;
    const query = new URLSearchParams({ limit: String(random.int(leastLimit, 1000)) });
    if (this.#storedCursor !== null) query.set('cursor', this.#storedCursor);
    const response = this.#client.send({ node, path: `/v1/events?${query.toString()}`, key });
    if (random.chance(deathPart)) return this.#die(response);
    const { status, body, failure } = await response;
    if (status !== 200) {
      this.refusals.push(failure ? `${failure.kind} ${failure.reason}` : `${status} ${body}`);
      await sleep(status === 429 ? 1000 : 50);
      return null;
    }
    const { events, cursor, has_more } = JSON.parse(body) as Page;
    const numbers = events.map(({ event_id }) => numberInId(event_id));
    if (numbers.length > 0 && random.chance(deathPart)) {
      this.lostPages.push({ after: this.eventNumbers.length, numbers });
      return this.#die();
    }
    this.pages += 1;
    for (const number of numbers) {
      onEvent(number);
      this.eventNumbers.push(number);
    }
    this.#storedCursor = cursor;
    return has_more;
  }

  /** Restarts with new connections and discards the pending response. */
  async #die(response?: Promise<unknown>): Promise<null> {
    this.deaths += 1;
    this.#client[Symbol.dispose]();
    this.#client = new Client();
    await response;
    return null;
  }
}
