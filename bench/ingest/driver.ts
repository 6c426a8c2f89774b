import { setTimeout as sleep } from 'node:timers/promises';
import { RawConnections, type RunStack } from '@tributary/rig';
import type { PreparedUpload } from './uploads.ts';

const connectionCount = 48;

/** What became of an upload: how long its answer took, the waiting for a connection included, and its status. */
export interface UploadOutcome {
  upload: PreparedUpload;
  durationMs: number;
  status: number;
}

/** Uploads to one stack and knows when all of them are in the answers. */
export class Driver implements Disposable {
  readonly run: RunStack;
  readonly #connections: RawConnections;

  constructor(run: RunStack) {
    this.run = run;
    this.#connections = new RawConnections(run.api[0]!.baseUrl, connectionCount);
  }

  async send(upload: PreparedUpload): Promise<UploadOutcome> {
    const askedAt = performance.now();
    const status = await this.#connections.send(upload.request);
    return { upload, durationMs: performance.now() - askedAt, status };
  }

  /** Sends all, again where the service asked to wait (503), or one session sent too much at once (429); how often it did. */
  async sendAll(uploads: readonly PreparedUpload[]): Promise<number> {
    let next = 0;
    let refused = 0;
    const work = async () => {
      while (next < uploads.length) {
        const upload = uploads[next++]!;
        for (;;) {
          const { status } = await this.send(upload);
          if (status === 202) break;
          if (status !== 503 && status !== 429) throw new Error(`an upload was answered with ${status}`);
          refused += 1;
          await sleep(50);
        }
      }
    };
    await Promise.all(Array.from({ length: connectionCount }, work));
    return refused;
  }

  /** Sends as fast as answers come until the time is up; how many were sent, and how many of them refused. */
  async flood(uploads: readonly PreparedUpload[], forMs: number): Promise<{ sent: number; refused: number }> {
    let next = 0;
    let refused = 0;
    const until = performance.now() + forMs;
    const work = async () => {
      while (next < uploads.length && performance.now() < until) {
        const { status } = await this.send(uploads[next++]!);
        if (status === 503) refused += 1;
      }
    };
    await Promise.all(Array.from({ length: connectionCount }, work));
    return { sent: next, refused };
  }

  async pending(): Promise<number> {
    const { rows } = await this.run.admin.query<{ n: number }>({
      text: 'SELECT count(*) AS n FROM pending_batches',
    });
    return rows[0]!.n;
  }

  /** Waits until nothing waits to be worked on. */
  async drained(): Promise<void> {
    while ((await this.pending()) > 0) await sleep(10);
  }

  [Symbol.dispose](): void {
    this.#connections[Symbol.dispose]();
  }
}
