import { setTimeout as sleep } from 'node:timers/promises';
import { forEachOf, RawConnections, type RunStack } from '@tributary/rig';
import type { PreparedUpload } from './uploads.ts';

const connectionCount = 48;

/** The result of an upload: its response time, including the wait for a connection, and its status. */
export interface UploadOutcome {
  upload: PreparedUpload;
  durationMs: number;
  status: number;
}

/** Uploads to one stack and knows when all uploads are processed. */
export class Driver implements Disposable {
  readonly run: RunStack;
  readonly #connections: RawConnections;

  constructor(run: RunStack) {
    this.run = run;
    this.#connections = new RawConnections(run.api[0]!.baseUrl, connectionCount);
  }

  async send(upload: PreparedUpload): Promise<UploadOutcome> {
    const sentAt = performance.now();
    const status = await this.#connections.send(upload.request);
    return { upload, durationMs: performance.now() - sentAt, status };
  }

  /** Sends all uploads. Retries when the service is throttling (503) or a session is over its limit (429), and returns how often that happened. */
  async sendAll(uploads: readonly PreparedUpload[]): Promise<number> {
    let refused = 0;
    await forEachOf(uploads, connectionCount, async (upload) => {
      for (;;) {
        const { status } = await this.send(upload);
        if (status === 202) return;
        if (status !== 503 && status !== 429) throw new Error(`An upload returned ${status}.`);
        refused += 1;
        await sleep(50);
      }
    });
    return refused;
  }

  /** Sends as fast as responses arrive until the time is up. Returns how many uploads were sent and how many of them were rejected. */
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

  /** Waits until no batch is pending. */
  async drained(): Promise<void> {
    while ((await this.pending()) > 0) await sleep(10);
  }

  [Symbol.dispose](): void {
    this.#connections[Symbol.dispose]();
  }
}
