import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A client that has sent nothing for this long is considered idle. */
const quietMs = 250;

/** Tracks open connections so that a shutdown does not close any that a client is using. */
export class Connections {
  /** The number of requests in flight on each connection. */
  readonly #open = new Map<Socket, number>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#open.set(socket, 0);
      socket.once('close', () => this.#open.delete(socket));
    });
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#count(socket, 1);
      response.on('close', () => this.#count(socket, -1)); // `close` fires once, and `once` would add a wrapper
    });
  }

  /** Waits while clients still send on the currently open connections. Each response retires one of them. */
  async retire(mostMs: number): Promise<void> {
    const until = performance.now() + mostMs;
    const leaving = new Set(this.#open.keys());
    for (let used = true; used && leaving.size > 0 && performance.now() < until;) {
      const received = receivedBy(leaving);
      await sleep(quietMs);
      used = [...leaving].some((socket) => socket.bytesRead !== received.get(socket));
      for (const socket of leaving) if (!this.#open.has(socket)) leaving.delete(socket);
    }
  }

  /** Until disposed, closes every connection that is idle and has no request in flight. */
  closeQuiet(): Disposable {
    let received = receivedBy(this.#open.keys());
    const timer = setInterval(() => {
      for (const [socket, inFlight] of this.#open) {
        if (inFlight === 0 && socket.bytesRead === received.get(socket)) socket.destroy();
      }
      received = receivedBy(this.#open.keys());
    }, quietMs);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  #count(socket: Socket, change: number): void {
    const inFlight = this.#open.get(socket);
    if (inFlight !== undefined) this.#open.set(socket, inFlight + change);
  }
}

function receivedBy(sockets: Iterable<Socket>): Map<Socket, number> {
  return new Map([...sockets].map((socket) => [socket, socket.bytesRead]));
}
