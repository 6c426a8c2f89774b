import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { FeedReader, type Message, type ReaderOptions } from './feed-reader.ts';

const resources: Disposable[] = [];
afterEach(() => {
  for (const resource of resources.splice(0)) resource[Symbol.dispose]();
});

/** A reader on a real socket whose client reads nothing until `take` is called. */
async function createReader(options: Partial<ReaderOptions> = {}) {
  const server = createServer().listen(0, '127.0.0.1');
  const response = new Promise<ServerResponse>((resolve) =>
    server.once('request', (_request, serverResponse: ServerResponse) => resolve(serverResponse)),
  );
  await new Promise((resolve) => server.once('listening', resolve));
  const outgoing = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  outgoing.on('error', () => {}).end();
  resources.push({
    [Symbol.dispose]() {
      outgoing.destroy();
      server.close().closeAllConnections();
    },
  });
  const written = await response;
  const reader = new FeedReader(written, {
    tenant: { accountId: 'account', environment: 'live' },
    place: 0,
    types: null,
    userId: null,
    sealCursor: (place) => `cursor-${place}`,
    beatEveryMs: 15_000,
    isAllowed: async () => true,
    ...options,
  });
  let text = '';
  const take = () =>
    outgoing.once('response', (incoming) => {
      incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    });
  return { reader, response: written, take, text: () => text };
}

function messagesOf(count: number, text: (position: number) => string): Message[] {
  return Array.from({ length: count }, (_, at) => ({
    position: at + 1,
    type: at % 2 === 0 ? 'data.updated' : 'score.updated',
    userId: at % 3 === 0 ? 'ada' : 'ben',
    text: text(at + 1),
  }));
}

test('bounds the output buffered for a stalled socket, and keeps the position where it stopped', async () => {
  const { reader, response } = await createReader();
  const messages = messagesOf(5_000, () => 'x'.repeat(1_000));
  reader.take({ after: 0, upTo: 5_000, messages });
  expect(reader.isReady).toBe(false);
  expect(response.writableLength).toBeLessThan(200_000);
  expect(reader.place).toBeGreaterThan(0);
  expect(reader.place).toBeLessThan(1_000);
  const { place } = reader;
  reader.take({ after: 0, upTo: 5_000, messages });
  expect(reader.place).toBe(place);
});

test('writes neither events it already sent nor events that were not requested', async () => {
  const { reader, take, text } = await createReader({ place: 4, types: ['score.updated'], userId: 'ben' });
  take();
  const messages = messagesOf(12, (position) => `${position} `);
  reader.take({ after: 0, upTo: 12, messages });
  expect(reader.place).toBe(12);
  await expect.poll(text).toBe('6 8 12 ');
});

test('sends its position if that has changed, and a heartbeat otherwise', async () => {
  const { reader, take, text } = await createReader({ types: ['user.deleted'] });
  take();
  const soon = performance.now() + 14_000;
  const later = performance.now() + 16_000;
  reader.take({ after: 0, upTo: 2, messages: messagesOf(2, String) });
  reader.beat(soon);
  reader.beat(later);
  reader.beat(later);
  const position = 'event: feed.position\ndata: {"cursor":"cursor-2"}\nid: cursor-2\n\n';
  await expect.poll(text).toBe(`${position}:\n`);
});

test('disconnects a client that reads nothing for a minute', async () => {
  const { reader, response } = await createReader();
  reader.take({ after: 0, upTo: 5_000, messages: messagesOf(5_000, () => 'x'.repeat(1_000)) });
  reader.beat(performance.now() + 59_000);
  expect(response.destroyed).toBe(false);
  reader.beat(performance.now() + 61_000);
  expect(response.destroyed).toBe(true);
});

test('ends cleanly if the socket is free, and immediately if it is not', async () => {
  const stuck = await createReader();
  stuck.reader.take({ after: 0, upTo: 5_000, messages: messagesOf(5_000, () => 'x'.repeat(1_000)) });
  stuck.reader.end();
  expect(stuck.response.destroyed).toBe(true);
  const free = await createReader();
  free.take();
  free.reader.take({ after: 0, upTo: 2, messages: messagesOf(2, String) });
  free.reader.end();
  expect(free.response.writableEnded).toBe(true);
  await expect.poll(free.text).toBe('12');
});
