import { connect, type Socket } from 'node:net';

export interface RawRequest {
  path: string;
  headers?: Record<string, string>;
}

/** A request as sent, prepared once and sent many times. */
export function prepareGet(host: string, { path, headers = {} }: RawRequest): Buffer {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
}

/**
 * One keep-alive connection with one request in flight. It reads just enough of a response to know its status and its end: a load generator
 * that costs more than what it measures would hide every difference.
 */
export class RawConnection implements Disposable {
  readonly #socket: Socket;
  #head = '';
  #isEnd: ((chunk: Buffer) => boolean) | null = null;
  #waiting: { resolve: (status: number) => void; reject: (error: Error) => void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () =>
      this.#waiting?.reject(new Error('the connection was closed before the response')),
    );
  }

  static async open({ hostname, port }: URL): Promise<RawConnection> {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new RawConnection(socket);
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  /** Resolves with the status when the response is complete. */
  send(request: Buffer): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#head = '';
      this.#isEnd = null;
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  [Symbol.dispose](): void {
    this.#waiting = null;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (!this.#isEnd) {
      const before = this.#head.length;
      this.#head += chunk.toString('latin1', 0, Math.min(chunk.length, mostHeadBytes));
      const end = this.#head.indexOf('\r\n\r\n');
      if (end < 0) return;
      this.#isEnd = endOf(this.#head, end + 4 - before);
    }
    if (!this.#isEnd(chunk)) return;
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve(Number(this.#head.slice(9, 12)));
  }
}

const mostHeadBytes = 4096;
const lastPiece = '0\r\n\r\n';

/** Returns a check for the last chunk of a response. It must see every chunk from the one in which the headers end, after `headBytes` of it. */
function endOf(head: string, headBytes: number): (chunk: Buffer) => boolean {
  if (/transfer-encoding: chunked/i.test(head)) {
    let tail = '';
    return (chunk) => {
      tail += chunk.toString('latin1', Math.max(0, chunk.length - lastPiece.length));
      tail = tail.slice(-lastPiece.length);
      return tail === lastPiece;
    };
  }
  let left = headBytes + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? '0');
  return (chunk) => (left -= chunk.length) <= 0;
}

/** Connections to one service, opened on demand up to `most`. Further requests wait for a free one. */
export class RawConnections implements Disposable {
  readonly #url: URL;
  readonly #most: number;
  readonly #open = new Set<RawConnection>();
  readonly #idle: RawConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  #opening = 0;

  constructor(baseUrl: string, most: number) {
    this.#url = new URL(baseUrl);
    this.#most = most;
  }

  async send(request: Buffer): Promise<number> {
    const connection = await this.#take();
    try {
      return await connection.send(request);
    } finally {
      if (connection.isClosed) this.#open.delete(connection);
      else this.#idle.push(connection);
      this.#waiting.shift()?.();
    }
  }

  [Symbol.dispose](): void {
    for (const connection of this.#open) connection[Symbol.dispose]();
  }

  async #take(): Promise<RawConnection> {
    for (;;) {
      for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
        // The service may have closed it in the meantime.
        if (!idle.isClosed) return idle;
        this.#open.delete(idle);
      }
      if (this.#open.size + this.#opening < this.#most) return this.#openOne();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async #openOne(): Promise<RawConnection> {
    this.#opening += 1;
    try {
      const connection = await RawConnection.open(this.#url);
      this.#open.add(connection);
      return connection;
    } finally {
      this.#opening -= 1;
    }
  }
}
