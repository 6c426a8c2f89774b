import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received[];
  /** The statuses to respond with, in order. The last one repeats. Null never responds. */
  answers: (number | null)[];
}

/** Receives pushes as an app does. */
export async function startReceiver(...answers: (number | null)[]): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
      if (answer !== null) response.writeHead(answer).end('seen');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`,
    received,
    answers,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
