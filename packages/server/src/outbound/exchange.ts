import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { OutboundError, requestFailure } from './outbound-error.ts';

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Covers lookup, connection, TLS, headers and body. */
  timeoutMs: number;
  /** Maximum retained size of the response body. The rest is discarded; if it is long, the connection is closed. */
  maxResponseBytes: number;
  signal?: AbortSignal;
}

export interface OutboundResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Whether the body was longer than the retained part. */
  isTruncated: boolean;
  milliseconds: number;
}

// A connection is reused if at most this much of the response has to be discarded.
const mostDiscardedBytes = 65_536;

/** Sends one request over a pool and collects its response, within limits of time and size. */
export function exchange(pool: Pool, url: URL, request: OutboundRequest): Promise<OutboundResponse> {
  const { method, headers = null, body = null, timeoutMs, maxResponseBytes, signal } = request;
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    let isSettled = false;
    let connection: Dispatcher.DispatchController | undefined;
    let head: Pick<OutboundResponse, 'status' | 'headers'> = { status: 0, headers: {} };
    const chunks: Buffer[] = [];
    let size = 0;

    const late = () =>
      fail(new OutboundError('timeout', `The response was not complete within ${timeoutMs} milliseconds.`));
    const timer = setTimeout(late, timeoutMs);
    const stop = () => fail(new OutboundError('stopped', 'The service canceled the request.'));
    signal?.addEventListener('abort', stop, { once: true });

    function finish(truncated: boolean): void {
      isSettled = true;
      const responseBody = Buffer.concat(chunks, Math.min(size, maxResponseBytes));
      resolve({
        ...head,
        body: responseBody,
        isTruncated: truncated,
        milliseconds: Math.round(performance.now() - begin),
      });
    }

    /** Also closes a connection whose remaining response is being discarded. */
    function fail(error: Error): void {
      isSettled = true;
      reject(requestFailure(error));
      release();
      connection?.abort(error);
    }

    function release(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }

    if (signal?.aborted) return stop();
    pool.dispatch(
      { path: url.pathname + url.search, method, headers, body },
      {
        onRequestStart(controller) {
          // Canceled while it waited for a connection. Throwing here, before a byte is written, leaves the connection to other requests.
          if (isSettled) throw new Error('canceled before it was sent');
          connection = controller;
        },
        onResponseStart(_, status, responseHeaders) {
          head = { status, headers: responseHeaders };
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (!isSettled) chunks.push(chunk);
          if (!isSettled && size > maxResponseBytes) finish(true);
          if (size > maxResponseBytes + mostDiscardedBytes) fail(new Error('read enough of the response'));
        },
        onResponseEnd() {
          if (!isSettled) finish(false);
          release();
        },
        onResponseError: (_, error) => fail(error),
      },
    );
  });
}
