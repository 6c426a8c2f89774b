import { setTimeout as sleep } from 'node:timers/promises';
import type { Core } from '../../core.ts';
import { listFeedHeads } from '../../store/events/feed.ts';
import type { Tenant } from '../../store/database/tenant.ts';
import { followPointers } from '../../stream/pointer-stream.ts';
import { readSequenced, sequencedStream } from '../../stream/sequenced-stream.ts';
import type { FeedReader } from './feed-reader.ts';
import { LiveFeed, type FeedReads } from './live-feed.ts';
import { createSemaphore } from '../../semaphore.ts';

const pollIntervalMs = 1_000;
const checkEveryMs = 2_000;
const mostLiveReads = 3;
const mostHistoryReads = 2;

/** Delivers new events to all live streams of this node. Starts with the first reader and runs until it is disposed. */
export class FeedHub implements AsyncDisposable {
  readonly #ctx: Pick<Core, 'broker' | 'config' | 'db' | 'keyring' | 'log' | 'operator'>;
  readonly #reads: FeedReads = {
    live: createSemaphore(mostLiveReads),
    history: createSemaphore(mostHistoryReads),
  };
  readonly #feeds = new Map<string, LiveFeed>();
  readonly #stop = new AbortController();
  #working: Promise<unknown> | null = null;

  constructor(ctx: Pick<Core, 'broker' | 'config' | 'db' | 'keyring' | 'log' | 'operator'>) {
    this.#ctx = ctx;
  }

  /** Sends the reader all events after its position from now on. `head` is a recent head of the feed. */
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

  /** Call it when the reader's socket has drained. */
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
      this.#every(pollIntervalMs, () => this.#poll()),
      this.#every(checkEveryMs, () => this.#check()),
    ]);
  }

  async #every(ms: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await sleep(ms, undefined, { signal }).catch(() => {});
      await work().catch((error) => {
        if (!signal.aborted) this.#ctx.log.warn({ err: error }, 'failed to maintain event streams');
      });
    }
  }

  /** Polls for events without a notification, because NATS may be unavailable. */
  async #poll(): Promise<void> {
    const now = performance.now();
    for (const feed of this.#feeds.values()) feed.maintain(now);
    if (this.#feeds.size === 0) return;
    const tenants: Tenant[] = [...this.#feeds.values()].map(({ tenant }) => tenant);
    for (const { accountId, environment, head } of await listFeedHeads(this.#ctx.operator, tenants))
      this.#feeds.get(keyOf(accountId, environment))?.grow(head);
  }

  /** Ends the streams whose credential has expired. Checks them one at a time, so that thousands of streams do not query at once. */
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
