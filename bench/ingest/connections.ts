import { connect, type Socket } from 'node:net';
import type { PreparedUpload } from './uploads.ts';

/** What became of an upload: when it was sent, how long its answer took, and its status. */
export interface UploadOutcome {
  upload: PreparedUpload;
  sentAt: number;
  durationMs: number;
  status: number;
}

/**
 * Sends prepared requests over kept connections and reads just enough of the answers: the load must not cost more than what is measured.
 * Each connection has one request under way.
 */
export class Connections {
  readonly #url: URL;
  readonly #most: number;
  readonly #idle: Socket[] = [];
  readonly #waiting: ((socket: Socket) => void)[] = [];
  readonly #sockets = new Set<Socket>();

  constructor(baseUrl: string, most: number) {
    this.#url = new URL(baseUrl);
    this.#most = most;
  }

  async send(upload: PreparedUpload): Promise<UploadOutcome> {
    const askedAt = performance.now();
    const socket = await this.#take();
    const sentAt = Date.now() - (performance.now() - askedAt);
    const status = await exchange(socket, upload.request);
    const next = this.#waiting.shift();
    if (next) next(socket);
    else this.#idle.push(socket);
    return { upload, sentAt, durationMs: performance.now() - askedAt, status };
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** One that is idle and that the service has not closed meanwhile, else a new one, else the next that is free. */
  async #take(): Promise<Socket> {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) if (!idle.destroyed) return idle;
    if (this.#sockets.size < this.#most) return this.#open();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async #open(): Promise<Socket> {
    const socket = connect({ host: this.#url.hostname, port: Number(this.#url.port), noDelay: true });
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return socket;
  }
}

function exchange(socket: Socket, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const onData = (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const headersEnd = answer.indexOf('\r\n\r\n');
      if (headersEnd < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(answer)?.[1] ?? 0);
      if (answer.length < headersEnd + 4 + length) return;
      socket.off('data', onData);
      socket.off('error', reject);
      socket.off('close', onClose);
      resolve(Number(answer.slice(9, 12)));
    };
    const onClose = () => reject(new Error('the connection was closed before the answer'));
    socket.on('data', onData);
    socket.once('error', reject);
    socket.once('close', onClose);
    socket.write(request);
  });
}
