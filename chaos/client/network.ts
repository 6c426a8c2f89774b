import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Random } from '@tributary/rig';

/** A load balancer in front of the nodes, whose network can be cut. */
export interface Network extends AsyncDisposable {
  url: string;
  /** Breaks all connections, and refuses new ones until it is restored. */
  cut(): void;
  restore(): void;
  /** What happens to live streams: forwarded, refused, or held back as by a proxy that buffers responses. */
  streams: 'forwarded' | 'refused' | 'held back';
  /** Responses that were broken off at a random byte. */
  broken: number;
}

const breakProbability = 0.2;
const mostBytes = 30_000;

/** Starts the load balancer. Some responses break at any byte. */
export async function startNetwork(nodes: readonly string[], random: Random): Promise<Network> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    const isStream = incoming.url!.startsWith('/v1/events/stream');
    if (isCut) {
      incoming.socket.destroy();
      return;
    }
    if (isStream && network.streams !== 'forwarded') {
      if (network.streams === 'refused') outgoing.writeHead(502).end('<html>');
      else outgoing.writeHead(200).flushHeaders();
      return;
    }
    const node = nodes[(count += 1) % nodes.length]!;
    const bytes = random.chance(breakProbability) ? random.int(1, mostBytes) : Infinity;
    forward(node, incoming, outgoing, bytes, () => (network.broken += 1));
  });
  server.on('connection', (socket) => {
    if (isCut) socket.destroy();
    else sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const network: Network = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    streams: 'forwarded',
    broken: 0,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    restore() {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return network;
}

function forward(
  node: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  bytes: number,
  onBreak: () => void,
): void {
  let left = bytes;
  const { method, headers, url = '' } = incoming;
  const sent = request(`${node}${url}`, { method: method!, headers, agent: false }, (response) => {
    outgoing.writeHead(response.statusCode!, response.headers);
    outgoing.flushHeaders();
    response.on('data', (chunk: Buffer) => {
      outgoing.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left > 0) return;
      onBreak();
      sent.destroy();
      // What was written must be read before the connection breaks.
      outgoing.socket?.end();
    });
    response.once('end', () => outgoing.end());
    response.once('error', () => outgoing.destroy());
  });
  sent.once('error', () => {
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end('<html>');
  });
  outgoing.once('close', () => sent.destroy());
  incoming.resume();
  sent.end();
}
