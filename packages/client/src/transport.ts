import { ApiError, ConnectionError, TimeoutError, toApiError } from './errors.ts';
import type { ClientOptions, Credential, Form, RequestOptions } from './options.ts';
import { backoff, wait } from './wait.ts';

/** A request, before it has a credential. */
export interface Request {
  method: string;
  path: string;
  query?: object | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  /** Whether sending it again has the effect of sending it once. */
  isRepeatable: boolean;
  isOpen?: boolean;
  options?: RequestOptions | undefined;
}

/** A successful response. */
export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** Errors of the service and of proxies that a later attempt can resolve. */
const transientStatuses = new Set([408, 429, 500, 502, 503, 504]);
const mostCachedCharacters = 1_000_000;

/** Sends requests: credential, deadline, retries, revalidation. */
export class Transport {
  readonly #baseUrl: string;
  readonly #form: Form;
  readonly #limits: { timeoutMs: number; attemptTimeoutMs: number; maxRetries: number };
  readonly #fetch: typeof fetch;
  readonly #credential: Credential;
  #token: Promise<string> | null = null;
  readonly #cache: Map<string, { etag: string; text: string }> | null;
  readonly #cacheSize: number;

  constructor(options: ClientOptions<Form>, credential: Credential) {
    const url = new URL(options.baseUrl);
    if (!/^https?:$/.test(url.protocol))
      throw new TypeError('`baseUrl` must start with https:// or http://.');
    if (options.form !== 1 && options.form !== 2) throw new TypeError('`form` must be 1 or 2.');
    this.#baseUrl = (url.origin + url.pathname).replace(/\/+$/, '');
    this.#form = options.form;
    this.#limits = {
      timeoutMs: options.timeoutMs ?? 60_000,
      attemptTimeoutMs: options.attemptTimeoutMs ?? 30_000,
      maxRetries: options.maxRetries ?? 3,
    };
    // Browsers reject a `fetch` that is called as a method of another object.
    this.#fetch = options.fetch ?? ((...parts) => globalThis.fetch(...parts));
    this.#credential = credential;
    this.#cacheSize = options.cachedResponses ?? 0;
    this.#cache = this.#cacheSize > 0 ? new Map() : null;
  }

  /** Sends a request until it succeeds, cannot be repeated, or runs out of time or attempts. */
  async send(request: Request): Promise<RawResponse> {
    const { options = {} } = request;
    const deadline = Date.now() + (options.timeoutMs ?? this.#limits.timeoutMs);
    const maxRetries = options.maxRetries ?? this.#limits.maxRetries;
    let hasRenewed = false;
    for (let attempts = 1, retries = 0; ; attempts += 1) {
      options.signal?.throwIfAborted();
      const token = await this.#tokenFor(request);
      const error = await this.#attempt(request, token, deadline).then(
        (response) => ({ response }),
        (failure: unknown) => ({ failure }),
      );
      if ('response' in error) return error.response;
      const { failure } = error;
      if (!(failure instanceof ApiError || failure instanceof ConnectionError)) throw failure;
      failure.attempts = attempts;
      if (
        failure instanceof ApiError &&
        failure.status === 401 &&
        !hasRenewed &&
        this.#renew(request, token)
      ) {
        hasRenewed = true;
        continue;
      }
      const waitMs = Math.max(backoff(retries), retryAfterOf(failure));
      const canRetry = retries < maxRetries && isTransient(failure) && request.isRepeatable;
      if (!canRetry || Date.now() + waitMs >= deadline) throw failure;
      retries += 1;
      await wait(waitMs, options.signal);
    }
  }

  /** Opens an endless response. The caller ends it with the signal. */
  async open(request: Request, signal: AbortSignal): Promise<Response> {
    for (let hasRenewed = false; ; hasRenewed = true) {
      const token = await this.#tokenFor(request);
      const response = await this.#fetch(this.#urlOf(request), this.#initOf(request, token, signal)).catch(
        (cause: unknown) => {
          throw new ConnectionError('The service cannot be reached.', { cause });
        },
      );
      if (response.ok) return response;
      const error = toApiError(response.status, response.headers, await response.text().catch(() => ''));
      if (error.status !== 401 || hasRenewed || !this.#renew(request, token)) throw error;
    }
  }

  async #attempt(request: Request, token: string | null, deadline: number): Promise<RawResponse> {
    const { signal } = request.options ?? {};
    const controller = new AbortController();
    const onAbort = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const ms = Math.max(0, Math.min(this.#limits.attemptTimeoutMs, deadline - Date.now()));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      controller.abort();
    }, ms);
    try {
      return await this.#exchange(request, token, controller.signal);
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      if (cause instanceof ApiError) throw cause;
      if (isLate) throw new TimeoutError(`No complete response arrived within ${ms} ms.`, { cause });
      throw new ConnectionError('The service cannot be reached, or the connection broke.', { cause });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  async #exchange(request: Request, token: string | null, signal: AbortSignal): Promise<RawResponse> {
    const url = this.#urlOf(request);
    const init = this.#initOf(request, token, signal);
    const headers = init.headers as Record<string, string>;
    const isCacheable =
      this.#cache && request.method === 'GET' && !headers['If-None-Match'] && !request.options?.bearer;
    const cached = isCacheable ? this.#cache.get(url) : undefined;
    if (cached) headers['If-None-Match'] = cached.etag;
    const response = await this.#fetch(url, init);
    const { status } = response;
    const text = await response.text();
    if (cached && status === 304) {
      this.#store(url, cached);
      return { status: 200, headers: response.headers, text: cached.text };
    }
    const isSuccess = response.ok || (status === 304 && headers['If-None-Match']);
    if (!isSuccess) throw toApiError(status, response.headers, text);
    const etag = response.headers.get('etag');
    if (isCacheable && etag && text.length <= mostCachedCharacters) this.#store(url, { etag, text });
    return { status, headers: response.headers, text };
  }

  /** Stores a response as the most recently used one, and removes the one that was unused for longest. */
  #store(url: string, entry: { etag: string; text: string }): void {
    const cache = this.#cache!;
    cache.delete(url);
    cache.set(url, entry);
    if (cache.size > this.#cacheSize) cache.delete(cache.keys().next().value!);
  }

  #urlOf({ path, query = {} }: Request): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(
      query as Record<string, string | readonly string[] | undefined>,
    ))
      if (value !== undefined && value !== null) parameters.set(name, String(value));
    const search = parameters.toString();
    return `${this.#baseUrl}${path}${search === '' ? '' : `?${search}`}`;
  }

  #initOf({ method, body, headers }: Request, token: string | null, signal: AbortSignal): RequestInit {
    return {
      method,
      signal,
      // The API never redirects, so the credential goes to no other address.
      redirect: 'manual',
      headers: {
        'API-Form': String(this.#form),
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
  }

  async #tokenFor({ isOpen, options }: Request): Promise<string | null> {
    if (options?.bearer !== undefined) return options.bearer;
    if (isOpen) return null;
    if (typeof this.#credential === 'string') return this.#credential;
    const renewal = (this.#token ??= Promise.resolve(this.#credential()));
    try {
      return await renewal;
    } catch (error) {
      if (this.#token === renewal) this.#token = null;
      throw error;
    }
  }

  /** Requests a new credential once for all requests that were rejected with the same one. Returns whether there can be another. */
  #renew({ isOpen, options }: Request, rejected: string | null): boolean {
    const credential = this.#credential;
    if (isOpen || options?.bearer !== undefined || typeof credential === 'string') return false;
    const current = this.#token;
    if (current) {
      this.#token = current.then(
        (token) => (token === rejected ? credential() : token),
        () => credential(),
      );
    }
    return true;
  }
}

function retryAfterOf(error: ApiError | ConnectionError): number {
  return error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
}

function isTransient(error: ApiError | ConnectionError): boolean {
  if (error instanceof ConnectionError) return true;
  return transientStatuses.has(error.status) || error.code === 'idempotency_in_progress';
}
