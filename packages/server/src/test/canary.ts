import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';

/** A listener on every address of this machine that must never be reached, except for one address where a test server runs. */
export interface Canary extends AsyncDisposable {
  /** The port of `home`; at every other address it belongs to the canary. */
  homePort: number;
  /** A port that belongs to the canary at every address. */
  port: number;
  /** The allowlist entry that permits only the test server. */
  home: string;
  /** Addresses of this machine where both ports belong to the canary. */
  addresses: string[];
  /** Connections that the canary received, by local address. */
  hits: string[];
  /**
   * Outbound connections that our HTTP client or its library started, except those to other servers of this machine, to which clients of
   * earlier tests may reconnect.
   */
  begun: () => number;
}

const homeAddress = '127.0.0.1';

/** Starts a canary. Connections to its home are passed to `serve`. */
export async function startCanary(serve: (socket: Socket) => void): Promise<Canary> {
  const hits: string[] = [];
  const open = new Set<Socket>();
  let begun = 0;
  const count = (message: unknown) => {
    if (!/\/outbound\/|undici/.test(new Error('connection attempt').stack ?? '')) return;
    const { socket } = message as { socket: Socket };
    socket.once('connectionAttempt', (address: string, port: number) => {
      const isForeign = /^127\.|^::1$/.test(address) && port !== home.port && port !== other.port;
      if (!isForeign) begun += 1;
    });
  };
  subscribe('net.client.socket', count);

  const listen = async (isHome: (address: string) => boolean) => {
    const server = createServer((socket) => {
      open.add(socket.on('error', () => {}).on('close', () => open.delete(socket)));
      const address = (socket.localAddress ?? '').replace(/^::ffff:/, '');
      if (isHome(address)) return serve(socket);
      hits.push(address);
      socket.destroy();
    });
    // Without a host it listens on every address of both families.
    await once(server.listen(0), 'listening');
    return { server, port: (server.address() as AddressInfo).port };
  };
  const home = await listen((address) => address === homeAddress);
  const other = await listen(() => false);

  return {
    homePort: home.port,
    port: other.port,
    home: `${homeAddress}:${home.port}`,
    addresses: localAddresses(),
    hits,
    begun: () => begun,
    async [Symbol.asyncDispose]() {
      unsubscribe('net.client.socket', count);
      for (const socket of open) socket.destroy();
      await Promise.all([home, other].map(({ server }) => once(server.close(), 'close')));
    },
  };
}

function localAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  // Link-local addresses cannot be reached without their interface name.
  return all
    .map(({ address }) => address)
    .filter((address) => address !== homeAddress && !address.startsWith('fe80'));
}
