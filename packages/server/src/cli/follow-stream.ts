import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../config.ts';
import { failureOf } from './failure-text.ts';
import { StreamParser, type StreamMessage } from './stream-parser.ts';

export interface StreamSource {
  /** Base address of the API. */
  url: string;
  key: string;
  /** Null for all. */
  types: readonly string[] | null;
  /** Null to begin with what comes from now on. */
  cursor: string | null;
}

/** What happens to one who follows a stream. */
export type StreamStep =
  | { kind: 'connected' }
  | { kind: 'message'; message: StreamMessage }
  | { kind: 'lost'; reason: string; waitMs: number };

/** The server says something every 15 seconds; after three silences it is gone. */
const mostSilenceMs = 45_000;
const firstWaitMs = 1_000;
const mostWaitMs = 30_000;

/** Follows the stream of events through lost connections, always after the last message. Throws when the API refuses for good. */
export async function* followStream(source: StreamSource, signal: AbortSignal): AsyncGenerator<StreamStep> {
  let lastId = source.cursor;
  let failures = 0;
  while (!signal.aborted) {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), mostSilenceMs);
    const parser = new StreamParser();
    let waitMs = Math.min(mostWaitMs, firstWaitMs * 2 ** failures);
    let reason = 'the server ended it';
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
            timer.refresh(); // whoever is told may have taken long
          }
        }
      }
    } catch (error) {
      if (error instanceof ConfigError) throw error;
      reason = silence.signal.aborted ? 'the server fell silent' : failureOf(error);
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
  // oxlint-disable-next-line no-restricted-globals -- goes where the one who runs it says, from that one's machine
  return fetch(address, { headers, signal, redirect: 'error' });
}

/** Why the API refused, where waiting helps; throws where it does not. */
async function readRefusal(response: Response): Promise<string> {
  const text = await response.text();
  const said = messageIn(text) ?? `it answered ${response.status}`;
  if (response.status === 429 || response.status >= 500) return said;
  throw new ConfigError(`The API refused the stream: ${said}`);
}

function messageIn(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { message?: string }).message;
  } catch {
    return undefined;
  }
}
