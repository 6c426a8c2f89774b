import { connect, type Socket } from 'node:net';

/** An unfinished request: what a socket sends at once, and then every second. */
export interface Attack {
  head: string;
  first: string | Buffer;
  drip: string | Buffer;
}

const reopenAfterMs = 5_000;

/** A connection that never finishes its request, and starts again when the service closes it. */
export class HostileSocket {
  readonly #port: number;
  readonly #localAddress: string;
  readonly #attack: Attack;
  readonly #onStatus: (status: number) => void;
  #socket: Socket | null = null;
  #isConnected = false;
  #closedAt = -Infinity;

  constructor(
    port: number,
    localAddress: string,
    attack: Attack,
    onStatus: (status: number) => void = () => {},
  ) {
    this.#port = port;
    this.#localAddress = localAddress;
    this.#attack = attack;
    this.#onStatus = onStatus;
  }

  /** Called every second. */
  step(): void {
    if (!this.#socket) {
      if (performance.now() - this.#closedAt > reopenAfterMs) this.#open();
    } else if (this.#isConnected && this.#socket.writableLength < 65_536)
      this.#socket.write(this.#attack.drip);
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): void {
    const { head, first } = this.#attack;
    const socket = connect({ host: '127.0.0.1', port: this.#port, localAddress: this.#localAddress });
    this.#socket = socket;
    socket.once('connect', () => {
      this.#isConnected = true;
      socket.write(head);
      socket.write(first);
    });
    socket.once('data', (bytes) => this.#onStatus(Number(bytes.toString('latin1', 9, 12))));
    socket.on('data', () => {});
    socket.on('error', () => {}); // `close` follows
    socket.once('close', () => {
      this.#socket = null;
      this.#isConnected = false;
      this.#closedAt = performance.now();
    });
  }
}
