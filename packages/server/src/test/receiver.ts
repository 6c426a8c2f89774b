import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received webhook request. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of every shape
  body: any;
  at: number;
}

/** The receiver's response; `hang` sends none. */
export type ReceiverResponse = { status: number; headers?: Record<string, string>; body?: string } | 'hang';

export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received[];
  /** Sets the response from now on. */
  respond: (request: Received) => ReceiverResponse | Promise<ReceiverResponse>;
}

/** A customer's webhook endpoint, over real HTTP. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => void receive(request, response));
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += String(part);
    const { url: path = '/', headers } = request;
    const one = { path, headers, text, body: JSON.parse(text) as unknown, at: performance.now() };
    received.push(one);
    const reply = await receiver.respond(one);
    if (reply !== 'hang') response.writeHead(reply.status, reply.headers).end(reply.body ?? '');
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    respond: () => ({ status: 204 }),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
  return receiver;
}
