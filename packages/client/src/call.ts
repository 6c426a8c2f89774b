import { ConnectionError } from './errors.ts';
import type { RawResponse } from './transport.ts';

/** A response with what its headers say. */
export interface Result<T> {
  data: T;
  status: number;
  /** Include it when you report a problem. */
  requestId: string | null;
  /** Identifies this version of the data. Pass it to `ifChanged`. */
  etag: string | null;
  headers: Headers;
}

/** Sends the request of a call with additional headers. */
export type Send = (headers?: Record<string, string>) => Promise<RawResponse>;

/** A request that was started. Await it for the data. */
export class Call<T> implements PromiseLike<T> {
  readonly #send: Send;
  readonly #read: (data: unknown) => T;
  #result: Promise<Result<T>> | null = null;
  #isConditional = false;

  constructor(send: Send, read: (data: unknown) => T = (data) => data as T) {
    this.#send = send;
    this.#read = read;
    // A call is sent even if nothing awaits it, but not before `ifChanged` could replace it.
    queueMicrotask(() => {
      if (!this.#isConditional) this.withResponse().catch(() => {});
    });
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a call is awaited for its data
  then<A = T, B = never>(
    onData?: ((data: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onData, onError);
  }

  catch<B>(onError: (error: unknown) => B | PromiseLike<B>): Promise<T | B> {
    return this.then(null, onError);
  }

  finally(onEnd: () => void): Promise<T> {
    return this.then((data) => data).finally(onEnd);
  }

  /** The data with status, ETag and `Request-Id`. */
  withResponse(): Promise<Result<T>> {
    return (this.#result ??= this.#request());
  }

  /** The response if it changed since the one with this ETag; null otherwise. Sends no other request. */
  async ifChanged(etag: string): Promise<Result<T> | null> {
    this.#isConditional = true;
    const result = await this.#request({ 'If-None-Match': etag });
    return result.status === 304 ? null : result;
  }

  async #request(headers?: Record<string, string>): Promise<Result<T>> {
    const response = await this.#send(headers);
    const { status } = response;
    const data = status === 304 ? (undefined as T) : this.#read(parse(response));
    return {
      data,
      status,
      requestId: response.headers.get('request-id'),
      etag: response.headers.get('etag'),
      headers: response.headers,
    };
  }
}

function parse({ text }: RawResponse): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConnectionError('The response is not JSON. Check `baseUrl`.', { cause });
  }
}

/** A page of a list: the response, and the way to the next page. */
export type Page<T> = T & {
  /** Whether there is another page. */
  readonly hasNextPage: boolean;
  /** The next page; null after the last one. */
  nextPage(): Promise<Page<T> | null>;
};

/** How a list continues: not at all, by cursor, by number, or as the feed does. */
export type Paging = 'none' | 'cursor' | 'page' | 'feed';

interface Body {
  data?: unknown[];
  events?: unknown[];
  next_cursor?: string | null;
  cursor?: string;
  has_more?: boolean;
  meta?: { page: number; per_page: number; total: number };
}

/** A list that was requested. Await it for a page, or iterate it for the items of this page and all that follow. */
export class ListCall<T, Item> extends Call<Page<T>> implements AsyncIterable<Item> {
  constructor(paging: Paging, query: object, sendWith: (query: object) => Send) {
    super(sendWith(query), (data) => toPage<T>(data as Body, paging, query, sendWith));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for (let page: Page<T> | null = await this; page !== null; page = await page.nextPage()) {
      const { data, events } = page as Body;
      yield* (events ?? data ?? []) as Item[];
    }
  }
}

/** Adds the way to the next page. It is not enumerable, so the page prints and serializes as the response. */
function toPage<T>(body: Body, paging: Paging, query: object, sendWith: (query: object) => Send): Page<T> {
  const change = nextOf(body, paging);
  const nextQuery = { ...query, ...change };
  return Object.defineProperties(body, {
    hasNextPage: { value: change !== null },
    nextPage: {
      value: async () =>
        change === null
          ? null
          : new Call(sendWith(nextQuery), (data) => toPage<T>(data as Body, paging, nextQuery, sendWith)),
    },
  }) as Page<T>;
}

function nextOf({ next_cursor, cursor, has_more, meta }: Body, paging: Paging): object | null {
  if (paging === 'cursor') return next_cursor ? { cursor: next_cursor } : null;
  if (paging === 'feed') return has_more ? { cursor } : null;
  if (paging === 'page' && meta && meta.page * meta.per_page < meta.total) return { page: meta.page + 1 };
  return null;
}
