import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Received {
  method: string;
  url: URL;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A push receiver that records requests and responds as configured. */
export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received[];
  /** Set by tests. Defaults to 200 without a body. */
  respond: (request: Received) => { status: number; body?: string };
}

/** Listens on a free port. */
export async function receivePushes(): Promise<Receiver> {
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const one: Received = {
      method: request.method ?? '',
      url: new URL(request.url ?? '/', 'http://receiver'),
      headers: request.headers,
      body: await text(request),
    };
    receiver.received.push(one);
    const { status, body = '' } = receiver.respond(one);
    response.writeHead(status).end(body);
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    respond: () => ({ status: 200 }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
