import { setTimeout as sleep } from 'node:timers/promises';
import { StreamParser, type StreamMessage } from '@tributary/contract/stream-parser';
import { ConfigError } from '../../config.ts';
import { failureOf } from '../failure-text.ts';

export interface StreamSource {
  /** Base URL of the API. */
  url: string;
  key: string;
  /** Null for all. */
  types: readonly string[] | null;
  /** Null to receive only new events. */
  cursor: string | null;
}

/** Callbacks of a stream follower. */
export type StreamStep =
  | { kind: 'connected' }
  | { kind: 'message'; message: StreamMessage }
  | { kind: 'lost'; reason: string; waitMs: number };

/** The server sends a heartbeat every 15 seconds; after three missed ones it is considered gone. */
const mostSilenceMs = 45_000;
const firstWaitMs = 1_000;
const mostWaitMs = 30_000;

/** Follows the event stream across lost connections, always resuming after the last message. Throws when the API rejects the request permanently. */
export async function* followStream(source: StreamSource, signal: AbortSignal): AsyncGenerator<StreamStep> {
  let lastId = source.cursor;
  let failures = 0;
  while (!signal.aborted) {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), mostSilenceMs);
    const parser = new StreamParser();
    let waitMs = Math.min(mostWaitMs, firstWaitMs * 2 ** failures);
    let reason = 'the server closed the stream';
    failures += 1;
    try {
      const response = await open(source, lastId, AbortSignal.any([signal, silence.signal]));
      if (!response.ok) {
        waitMs = 1000 * Number(response.headers.get('retry-after') ?? waitMs / 1000);
        reason = await readRefusal(response);
      } else {
        yield { kind: 'connected' };
        failures = 0;
        for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
          timer.refresh();
          for (const message of parser.push(piece)) {
            lastId = message.id;
            yield { kind: 'message', message };
            timer.refresh(); // the callback may have taken long
          }
        }
      }
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      reason = silence.signal.aborted ? 'no heartbeat from the server' : failureOf(error);
    } finally {
      clearTimeout(timer);
    }
    if (signal.aborted) return;
    waitMs = parser.retryMs ?? waitMs;
    yield { kind: 'lost', reason, waitMs };
    await sleep(waitMs, undefined, { signal }).catch(() => {});
  }
}

function open({ url, key, types }: StreamSource, lastId: string | null, signal: AbortSignal) {
  const address = new URL('v1/events/stream', url.endsWith('/') ? url : `${url}/`);
  if (types) address.searchParams.set('type', types.join(','));
  const headers = {
    accept: 'text/event-stream',
    authorization: `Bearer ${key}`,
    ...(lastId === null ? {} : { 'last-event-id': lastId }),
  };
  // oxlint-disable-next-line no-restricted-globals -- connects to the URL that the user of the command chose, from their machine
  return fetch(address, { headers, signal, redirect: 'error' });
}

/** The reason for a temporary error; throws for a permanent one. */
async function readRefusal(response: Response): Promise<string> {
  const text = await response.text();
  const message = messageIn(text) ?? `HTTP status ${response.status}`;
  if (response.status === 429 || response.status >= 500) return message;
  throw new ConfigError(`The API rejected the stream: ${message}`);
}

function messageIn(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { message?: string }).message;
  } catch {
    return undefined;
  }
}
