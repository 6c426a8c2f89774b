import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { StreamParser, type StreamMessage } from '@tributary/contract/stream-parser';
import { expect } from 'vitest';
import type { TestApp } from './apps/test-app.ts';

export interface StreamOptions {
  key?: string;
  query?: string;
  lastEventId?: string;
  /** Receives this many bytes, then closes the connection. */
  closeAfterBytes?: number;
}

/** A stream reader with its own socket. */
export interface StreamClient {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body of a response that is not a stream. */
  error: { error: string; message: string; details: Record<string, unknown> } | null;
  /** All received text. */
  text: string;
  /** All complete messages. */
  messages: StreamMessage[];
  retryMs: number | null;
  /** Whether the server ended the stream or the connection was closed. */
  hasEnded: boolean;
  /** The IDs of the received events, without other messages. */
  eventIds(): string[];
  lastId(): string;
  /** Waits for this many events and returns their IDs. */
  events(count: number, timeoutMs?: number): Promise<string[]>;
  ended(timeoutMs?: number): Promise<void>;
  /** Stops reading until resumed. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** The complete messages in a text. */
export function readMessages(text: string): StreamMessage[] {
  return new StreamParser().push(text);
}

export async function openStream(
  app: Pick<TestApp, 'url' | 'account'>,
  { key = app.account.liveKey, query = '', lastEventId, closeAfterBytes = Infinity }: StreamOptions = {},
): Promise<StreamClient> {
  const outgoing = request(`${app.url}/v1/events/stream${query}`, {
    agent: false,
    headers: {
      authorization: `Bearer ${key}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject).end();
  });
  outgoing.on('error', () => {});
  response.on('error', () => {});
  response.setEncoding('latin1'); // so that it can be cut at any byte
  const parser = new StreamParser();
  const client: StreamClient = {
    status: response.statusCode!,
    headers: response.headers,
    error: null,
    text: '',
    messages: [],
    retryMs: null,
    hasEnded: false,
    eventIds: () =>
      client.messages
        .filter(({ event }) => event !== 'feed.position')
        .map(({ data }) => (JSON.parse(data) as { event_id: string }).event_id),
    lastId: () => client.messages.at(-1)!.id,
    async events(count, timeoutMs = 10_000) {
      await expect
        .poll(() => client.eventIds().length, { timeout: timeoutMs, interval: 10 })
        .toBeGreaterThanOrEqual(count);
      return client.eventIds();
    },
    async ended(timeoutMs = 10_000) {
      await expect.poll(() => client.hasEnded, { timeout: timeoutMs, interval: 10 }).toBe(true);
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => outgoing.destroy(),
  };
  response.on('data', (piece: string) => {
    const text = piece.slice(0, closeAfterBytes - client.text.length);
    client.text += text;
    if (client.status === 200) client.messages.push(...parser.push(text));
    client.retryMs = parser.retryMs;
    if (client.text.length >= closeAfterBytes) outgoing.destroy();
  });
  response.once('close', () => (client.hasEnded = true));
  if (client.status !== 200) {
    await client.ended();
    client.error = JSON.parse(client.text) as NonNullable<StreamClient['error']>;
  } else await expect.poll(() => client.messages.length + Number(client.hasEnded)).toBeGreaterThan(0);
  return client;
}
