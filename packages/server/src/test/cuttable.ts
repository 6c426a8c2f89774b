import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to the service that can close all of its connections. */
export interface Cuttable extends Disposable {
  url: string;
  disconnect(): void;
}

export async function startCuttable(url: string): Promise<Cuttable> {
  const sockets = new Set<Socket>();
  const closeConnections = (): void => sockets.forEach((socket) => socket.destroy());
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(url).port), '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    disconnect: closeConnections,
    [Symbol.dispose]() {
      server.close();
      closeConnections();
    },
  };
}
