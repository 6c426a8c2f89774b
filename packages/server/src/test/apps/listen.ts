import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A test server that listens on loopback. */
export interface Listening extends AsyncDisposable {
  port: number;
  /** All connections, newest last. */
  sockets: Socket[];
  /** The number of open connections. */
  open(): number;
}

/** Starts a server of any protocol, and closes it with all of its connections when disposed. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<Listening> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket.on('error', () => {})));
  await once(server.listen(0, host), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    open: () => sockets.filter((socket) => !socket.destroyed).length,
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
