import type { EventWire } from '@tributary/contract';
import { StreamParser } from '@tributary/contract/stream-parser';
import { request, readFailure, type Environment } from './client.ts';
import { ApiFailure } from './failure.ts';

export interface StreamSource {
  environment: Environment;
  /** Null for all types. */
  types?: readonly string[] | null;
  userId?: string | null;
  /** Null to start with new events. */
  cursor?: string | null;
}

/** A step of the stream. `cursor` is the position to continue from. */
export type StreamStep =
  | { kind: 'connected' }
  | { kind: 'position'; cursor: string }
  | { kind: 'event'; cursor: string; event: EventWire }
  | { kind: 'lost'; waitMs: number };

/** The server sends something every 15 seconds. After three missed intervals the connection counts as lost. */
const mostSilenceMs = 45_000;
const firstWaitMs = 1_000;
const mostWaitMs = 30_000;

/** Follows events across lost connections, continuing after the last event. Throws when the API refuses permanently. */
export async function* followEvents(source: StreamSource, signal: AbortSignal): AsyncGenerator<StreamStep> {
  let cursor = source.cursor ?? null;
  let failures = 0;
  while (!signal.aborted) {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), mostSilenceMs);
    const parser = new StreamParser();
    let waitMs = Math.min(mostWaitMs, firstWaitMs * 2 ** failures);
    failures += 1;
    try {
      const body = await open(source, cursor, AbortSignal.any([signal, silence.signal]));
      yield { kind: 'connected' };
      failures = 0;
      for await (const piece of piecesOf(body)) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), mostSilenceMs);
        for (const { id, event, data } of parser.push(piece)) {
          cursor = id;
          if (event === 'feed.position') yield { kind: 'position', cursor: id };
          else yield { kind: 'event', cursor: id, event: JSON.parse(data) as EventWire };
        }
      }
    } catch (error) {
      if (error instanceof ApiFailure && isFinal(error)) throw error;
      if (error instanceof ApiFailure && error.retryAfterSeconds) waitMs = 1_000 * error.retryAfterSeconds;
    } finally {
      clearTimeout(timer);
    }
    if (signal.aborted) return;
    waitMs = parser.retryMs ?? waitMs;
    yield { kind: 'lost', waitMs };
    await wait(waitMs, signal);
  }
}

async function open(
  { environment, types, userId }: StreamSource,
  cursor: string | null,
  signal: AbortSignal,
) {
  const response = await request('GET', '/v1/events/stream', {
    environment,
    query: { type: types?.join(','), user_id: userId },
    headers: { accept: 'text/event-stream', ...(cursor === null ? {} : { 'last-event-id': cursor }) },
    signal,
  });
  if (!response.ok) throw await readFailure(response);
  return response.body!;
}

/** Uses a reader because some browsers cannot iterate over a stream. */
async function* piecesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

const isFinal = ({ status }: ApiFailure) => status >= 400 && status < 500 && status !== 429;

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
