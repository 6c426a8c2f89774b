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
  mostAnswerBytes: number;
  signal?: AbortSignal;
}

export interface OutboundAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Whether the body was longer than the retained part. */
  cut: boolean;
  milliseconds: number;
}

// A connection is reused if at most this much of the response has to be discarded.
const mostDiscardedBytes = 65_536;

/** Sends one request over a pool and collects its response, within limits of time and size. */
export function exchange(pool: Pool, url: URL, request: OutboundRequest): Promise<OutboundAnswer> {
  const { method, headers = null, body = null, timeoutMs, mostAnswerBytes, signal } = request;
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    let settled = false;
    let connection: Dispatcher.DispatchController | undefined;
    let head: Pick<OutboundAnswer, 'status' | 'headers'> = { status: 0, headers: {} };
    const chunks: Buffer[] = [];
    let size = 0;

    const late = () =>
      fail(new OutboundError('timeout', `The response was not complete within ${timeoutMs} milliseconds.`));
    const timer = setTimeout(late, timeoutMs);
    const stop = () => fail(new OutboundError('stopped', 'The service canceled the request.'));
    signal?.addEventListener('abort', stop, { once: true });

    function answer(cut: boolean): void {
      settled = true;
      const kept = Buffer.concat(chunks, Math.min(size, mostAnswerBytes));
      resolve({ ...head, body: kept, cut, milliseconds: Math.round(performance.now() - begin) });
    }

    /** Also closes a connection whose remaining response is being discarded. */
    function fail(error: Error): void {
      settled = true;
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
          if (settled) throw new Error('canceled before it was sent');
          connection = controller;
        },
        onResponseStart(_, status, answered) {
          head = { status, headers: answered };
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (!settled) chunks.push(chunk);
          if (!settled && size > mostAnswerBytes) answer(true);
          if (size > mostAnswerBytes + mostDiscardedBytes) fail(new Error('read enough of the response'));
        },
        onResponseEnd() {
          if (!settled) answer(false);
          release();
        },
        onResponseError: (_, error) => fail(error),
      },
    );
  });
}
