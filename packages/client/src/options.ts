/** The two formats of the API. Choose one and use it throughout. */
export type Form = 1 | 2;

/** A credential, or a function that returns the current one. It is called again when the service rejects the credential. */
export type Credential = string | (() => string | Promise<string>);

/** Options of both clients. */
export interface ClientOptions<F extends Form> {
  /** The address of your installation, such as `https://health.example.com`. */
  baseUrl: string;
  /** The format of requests and responses. */
  form: F;
  /** Maximum time for a request, including all retries. Default 60 seconds. */
  timeoutMs?: number | undefined;
  /** Maximum time for one attempt. Default 30 seconds. */
  attemptTimeoutMs?: number | undefined;
  /** Maximum number of retries. Default 3. */
  maxRetries?: number | undefined;
  /** Number of responses to keep in memory. They are revalidated with their ETag before every use. Default 0. */
  cachedResponses?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** Options of one request. */
export interface RequestOptions {
  /** Aborts the request. It then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  maxRetries?: number | undefined;
  /** Sent instead of the credential of the client, for example the access token of an SDK session. */
  bearer?: string | undefined;
}
