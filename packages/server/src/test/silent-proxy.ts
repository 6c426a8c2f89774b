import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy in front of a host that can disappear without a reset, as in a failover, a kernel panic or a dropped NAT entry. */
export interface SilentProxy extends AsyncDisposable {
  port: number;
  /** The URL with the address of the proxy. */
  through(url: string): string;
  /** From now on nothing passes: neither data nor the end of a connection, on open connections and on new ones. */
  silence(): void;
  /** New connections work again. Those that were open stay silent. */
  heal(): void;
  /** Connections through which data passes. */
  readonly open: number;
  /** Silent connections that the client has not closed yet. */
  readonly abandoned: number;
}

interface Pair {
  client: Socket;
  server: Socket | null;
  isLost: boolean;
}

/** Starts a proxy on a free port of loopback. */
export async function startSilentProxy(targetUrl: string): Promise<SilentProxy> {
  const targetPort = Number(new URL(targetUrl).port);
  const pairs = new Set<Pair>();
  let isSilent = false;
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = isSilent ? null : connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
    const pair: Pair = { client, server, isLost: isSilent };
    pairs.add(pair);
    client.setNoDelay(true).on('error', () => {});
    client.once('close', () => {
      if (!pair.isLost) server?.destroy();
      if (!server || server.destroyed) pairs.delete(pair);
    });
    if (!server) return void client.resume();
    server.setNoDelay(true).on('error', () => {});
    server.once('close', () => {
      if (!pair.isLost) client.destroy();
      if (client.destroyed) pairs.delete(pair);
    });
    relay(pair, client, server);
    relay(pair, server, client);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    port,
    through(url) {
      const changed = new URL(url);
      changed.hostname = '127.0.0.1';
      changed.port = String(port);
      return changed.href;
    },
    silence() {
      isSilent = true;
      for (const pair of pairs) pair.isLost = true;
    },
    heal() {
      isSilent = false;
    },
    get open() {
      return [...pairs].filter(({ isLost }) => !isLost).length;
    },
    get abandoned() {
      return [...pairs].filter(({ isLost, client }) => isLost && !client.readableEnded && !client.destroyed)
        .length;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(proxy.close(), 'close');
      for (const { client, server } of pairs) {
        client.destroy();
        server?.destroy();
      }
      await closed;
    },
  };
}

function relay(pair: Pair, from: Socket, to: Socket): void {
  from.on('data', (bytes) => {
    if (!pair.isLost) to.write(bytes);
  });
  from.on('end', () => {
    if (!pair.isLost) to.end();
  });
}
