import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received[];
  /** The statuses to respond with, in order. The last one repeats. */
  statuses: number[];
}

/** Records what providers send. */
export async function receive(): Promise<Receiver> {
  const received: Received[] = [];
  const responseStatuses: number[] = [200];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      received.push({ method, path, headers, body: Buffer.concat(pieces).toString() });
      response.statusCode =
        (responseStatuses.length > 1 ? responseStatuses.shift() : responseStatuses[0]) ?? 200;
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    statuses: responseStatuses,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
