import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { listFeedHeads } from '../../store/feed.ts';
import type { Tenant } from '../../store/tenant.ts';
import { followPointers } from '../../stream/pointer-stream.ts';
import { readSequenced, sequencedStream } from '../../stream/sequenced-stream.ts';
import type { FeedReader } from './feed-reader.ts';
import { LiveFeed, type FeedReads } from './live-feed.ts';
import { createTurns } from '../../turns.ts';

const lookEveryMs = 1_000;
const checkEveryMs = 2_000;
const mostLiveReads = 3;
const mostHistoryReads = 2;

/** Brings new events to everybody who follows a feed at this node. It works from the first reader on, and until disposed of. */
export class FeedHub implements AsyncDisposable {
  readonly #ctx: Pick<Context, 'broker' | 'config' | 'db' | 'keyring' | 'log' | 'operator'>;
  readonly #reads: FeedReads = { live: createTurns(mostLiveReads), history: createTurns(mostHistoryReads) };
  readonly #feeds = new Map<string, LiveFeed>();
  readonly #stop = new AbortController();
  #working: Promise<unknown> | null = null;

  constructor(ctx: Pick<Context, 'broker' | 'config' | 'db' | 'keyring' | 'log' | 'operator'>) {
    this.#ctx = ctx;
  }

  /** From now on the reader gets all after its place. `head` is where the feed ended a moment ago. */
  join(reader: FeedReader, head: number): void {
    const { tenant } = reader;
    const key = keyOf(tenant.accountId, tenant.environment);
    let feed = this.#feeds.get(key);
    if (!feed) {
      feed = new LiveFeed(this.#ctx, this.#reads, { tenant, head });
      this.#feeds.set(key, feed);
    }
    feed.readers.add(reader);
    feed.grow(head);
    void feed.serve(reader);
    this.#working ??= this.#work();
  }

  /** To be called when the socket of a reader takes more. */
  resume(reader: FeedReader): void {
    void this.#feedOf(reader)?.serve(reader);
  }

  leave(reader: FeedReader): void {
    const feed = this.#feedOf(reader);
    feed?.readers.delete(reader);
    if (feed?.readers.size === 0)
      this.#feeds.delete(keyOf(reader.tenant.accountId, reader.tenant.environment));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    for (const { readers } of this.#feeds.values()) for (const reader of readers) reader.end();
    await this.#working;
  }

  #feedOf({ tenant }: FeedReader): LiveFeed | undefined {
    return this.#feeds.get(keyOf(tenant.accountId, tenant.environment));
  }

  #work(): Promise<unknown> {
    const { signal } = this.#stop;
    const onPointer = (payload: string): void => {
      for (const [account, environment, head] of readSequenced(payload).feeds)
        this.#feeds.get(keyOf(account, environment))?.grow(head);
    };
    return Promise.all([
      followPointers(this.#ctx, sequencedStream, signal, onPointer),
      this.#every(lookEveryMs, () => this.#look()),
      this.#every(checkEveryMs, () => this.#check()),
    ]);
  }

  async #every(ms: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await sleep(ms, undefined, { signal }).catch(() => {});
      await work().catch((error) => {
        if (!signal.aborted) this.#ctx.log.warn({ err: error }, 'streams not tended');
      });
    }
  }

  /** Finds what no pointer told of: the broker may be away. */
  async #look(): Promise<void> {
    const now = performance.now();
    for (const feed of this.#feeds.values()) feed.tend(now);
    if (this.#feeds.size === 0) return;
    const tenants: Tenant[] = [...this.#feeds.values()].map(({ tenant }) => tenant);
    for (const { accountId, environment, head } of await listFeedHeads(this.#ctx.operator, tenants))
      this.#feeds.get(keyOf(accountId, environment))?.grow(head);
  }

  /** Ends the streams whose credential has ended. One after the other: thousands of them must not ask all at once. */
  async #check(): Promise<void> {
    for (const { readers } of this.#feeds.values())
      for (const reader of readers) {
        if (this.#stop.signal.aborted) return;
        if (!(await reader.isAllowed())) reader.end();
      }
  }
}

function keyOf(account: string, environment: string): string {
  return `${account} ${environment}`;
}
