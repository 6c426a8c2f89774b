import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Context } from '../context.ts';
import type { Loop, LoopName } from '../loops.ts';
import type { ThreadReply, ThreadRequest } from './thread-messages.ts';

type MetricList = MetricObjectWithValues<MetricValue<string>>[];

const shippedProgram = new URL('./ingest-thread.ts', import.meta.url);
const firstRestartMs = 500;
const longestRestartMs = 30_000;
/** A thread that ran this long before it ended is restarted without a longer delay. */
const stableMs = 60_000;
const metricsTimeoutMs = 1_000;

/** The ingest role in a thread of its own. */
export interface IngestThread extends AsyncDisposable {
  readonly isRunning: boolean;
  /** The ingest metrics of the thread. Empty while it is not running. */
  readMetrics: () => Promise<MetricList>;
}

/**
 * Processes committed batches in a thread with its own event loop and connections, so that they do not block requests. The thread is restarted if it
 * ends unexpectedly. Resolves once it has started.
 */
export async function runIngestThread(
  ctx: Pick<Context, 'log' | 'loops'>,
  program = shippedProgram,
): Promise<IngestThread> {
  const thread = new SupervisedThread(ctx, program);
  await thread.started;
  return thread;
}

class SupervisedThread implements IngestThread {
  readonly #log: Context['log'];
  readonly #program: URL;
  readonly #ownLoops: Context['loops'];
  /** The loops of the thread. While it does not run, they are silent. */
  readonly #loops = new Map<LoopName, Loop>();
  readonly #running: Promise<void>;
  readonly #started = Promise.withResolvers<void>();
  readonly #stop = new AbortController();
  readonly #replies = new Map<number, (metrics: MetricList) => void>();
  #worker: Worker | null = null;
  #lastTicket = 0;

  constructor({ log, loops }: Pick<Context, 'log' | 'loops'>, program: URL) {
    this.#log = log;
    this.#program = program;
    this.#ownLoops = loops;
    this.#running = this.#run();
  }

  get started(): Promise<void> {
    return this.#started.promise;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  async readMetrics(): Promise<MetricList> {
    const worker = this.#worker;
    if (!worker) return [];
    const { promise, resolve } = Promise.withResolvers<MetricList>();
    const ticket = (this.#lastTicket += 1);
    this.#replies.set(ticket, resolve);
    const timer = setTimeout(() => resolve([]), metricsTimeoutMs);
    send(worker, { kind: 'metrics', ticket });
    const metrics = await promise;
    clearTimeout(timer);
    this.#replies.delete(ticket);
    return metrics.filter(({ name }) => name.startsWith('tributary_ingest_'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    if (this.#worker) send(this.#worker, { kind: 'stop' });
    await this.#running;
    for (const loop of this.#loops.values()) loop[Symbol.dispose]();
  }

  #noteLoops(ages: readonly (readonly [LoopName, number])[]): void {
    for (const [name, ageMs] of ages) {
      if (!this.#loops.has(name)) this.#loops.set(name, this.#ownLoops.start(name));
      this.#loops.get(name)!.beat(ageMs);
    }
  }

  async #run(): Promise<void> {
    let restartMs = firstRestartMs;
    while (!this.#stop.signal.aborted) {
      const startedAt = performance.now();
      await this.#runOnce();
      if (this.#stop.signal.aborted) return;
      if (performance.now() - startedAt > stableMs) restartMs = firstRestartMs;
      await sleep(restartMs, undefined, { signal: this.#stop.signal }).catch(() => {});
      restartMs = Math.min(longestRestartMs, restartMs * 2);
    }
  }

  /** Runs one thread until it ends. */
  async #runOnce(): Promise<void> {
    const worker = new Worker(this.#program);
    let hasStarted = false;
    worker.on('message', (reply: ThreadReply) => {
      if (reply.kind === 'metrics') return this.#replies.get(reply.ticket)?.(reply.metrics);
      if (reply.kind === 'loops') return this.#noteLoops(reply.ages);
      hasStarted = true;
      this.#worker = worker;
      this.#started.resolve();
      if (this.#stop.signal.aborted) send(worker, { kind: 'stop' });
    });
    worker.on('error', (error) => this.#log.error({ err: error }, 'the ingest thread failed'));
    await new Promise((resolve) => worker.once('exit', resolve));
    this.#worker = null;
    for (const resolve of this.#replies.values()) resolve([]);
    if (!this.#stop.signal.aborted)
      this.#log.error({ hasStarted }, 'the ingest thread ended unexpectedly and will be restarted');
  }
}

function send(worker: Worker, request: ThreadRequest): void {
  worker.postMessage(request, []);
}
