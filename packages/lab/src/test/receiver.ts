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
  statuses: (number | null)[];
}

/** Receives pushes as an app does. */
export async function startReceiver(...responseStatuses: (number | null)[]): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      const status = responseStatuses.length > 1 ? responseStatuses.shift()! : responseStatuses[0]!;
      if (status !== null) response.writeHead(status).end('seen');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`,
    received,
    statuses: responseStatuses,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
