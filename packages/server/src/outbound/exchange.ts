import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { OutboundError, requestFailure } from './outbound-error.ts';

export interface OutboundRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** For all of it: look-up, connection, TLS, headers and body. */
  timeoutMs: number;
  /** What is kept of the answer's body. The rest is discarded, or the connection closed if that is long. */
  mostAnswerBytes: number;
  signal?: AbortSignal;
}

export interface OutboundAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Whether the body was longer than what was kept of it. */
  cut: boolean;
  milliseconds: number;
}

// A connection is kept if what is left of the answer is no more than this.
const mostDiscardedBytes = 65_536;

/** Sends one request over a pool and collects its answer, within its bounds of time and size. */
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
      fail(new OutboundError('timeout', `The answer was not whole within ${timeoutMs} milliseconds.`));
    const timer = setTimeout(late, timeoutMs);
    const stop = () => fail(new OutboundError('stopped', 'The request was given up on our side.'));
    signal?.addEventListener('abort', stop, { once: true });

    function answer(cut: boolean): void {
      settled = true;
      const kept = Buffer.concat(chunks, Math.min(size, mostAnswerBytes));
      resolve({ ...head, body: kept, cut, milliseconds: Math.round(performance.now() - begin) });
    }

    /** Also ends the connection under an answer of which the rest is being discarded. */
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
          // Given up while it waited for its connection. Thrown here, before a byte is written, it leaves the connection to others.
          if (settled) throw new Error('given up before it was sent');
          connection = controller;
        },
        onResponseStart(_, status, answered) {
          head = { status, headers: answered };
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (!settled) chunks.push(chunk);
          if (!settled && size > mostAnswerBytes) answer(true);
          if (size > mostAnswerBytes + mostDiscardedBytes) fail(new Error('enough was read'));
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
