import { setTimeout as sleep } from 'node:timers/promises';
import type { RunStack } from '../service.ts';
import { Connections } from './connections.ts';
import type { PreparedUpload } from './uploads.ts';

const connectionCount = 48;

/** Uploads to one stack and knows when all of them are in the answers. */
export class Driver implements Disposable {
  readonly run: RunStack;
  readonly client: Connections;

  private constructor(run: RunStack, client: Connections) {
    this.run = run;
    this.client = client;
  }

  static open(run: RunStack): Driver {
    return new Driver(run, new Connections(run.api[0]!.baseUrl, connectionCount));
  }

  /** Sends all, again where the service asked to wait (503), or one session sent too much at once (429); how often it did. */
  async sendAll(uploads: readonly PreparedUpload[]): Promise<number> {
    let next = 0;
    let refused = 0;
    const work = async () => {
      while (next < uploads.length) {
        const upload = uploads[next++]!;
        for (;;) {
          const { status } = await this.client.send(upload);
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
        const { status } = await this.client.send(uploads[next++]!);
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
    this.client[Symbol.dispose]();
  }
}
