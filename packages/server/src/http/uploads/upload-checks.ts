import { Worker } from 'node:worker_threads';
import { ApiError, type ErrorCode } from '@tributary/contract';
import type { Logger } from 'pino';
import type { CheckedUpload } from '../../services/batches/checked-upload.ts';
import { checkUpload } from './check-upload.ts';

export interface CheckRequest {
  body: Uint8Array;
  encoding: string | undefined;
}

export type CheckReply =
  | { upload: CheckedUpload }
  | { problem: { code: ErrorCode; message: string; details: Record<string, unknown> } };

interface Waiting extends CheckRequest {
  resolve: (upload: CheckedUpload) => void;
  reject: (error: ApiError) => void;
}

const shippedProgram = new URL('./check-thread.ts', import.meta.url);
/** Checking a body of this size takes less than two milliseconds. The largest takes a tenth of a second and more. */
const smallBytes = 64 * 1024;
/** Compressed bodies of this size are usually small, too. */
const smallCompressedBytes = 8 * 1024;
const mostMemoryMb = 512;

/**
 * Checks the bodies of uploads. Small ones are checked at once, and large ones in a thread, so that they do not block other requests. The thread checks
 * one upload at a time, of each account in turn. It starts with the first large upload, and again after a failure.
 */
export class UploadChecks implements AsyncDisposable {
  readonly #log: Logger;
  readonly #program: URL;
  /** By account, in the order in which they are served. */
  readonly #queues = new Map<string, Waiting[]>();
  #thread: Worker | null = null;
  #current: Waiting | null = null;

  constructor(log: Logger, program = shippedProgram) {
    this.#log = log;
    this.#program = program;
  }

  /** Throws the error that the client gets. */
  async check(accountId: string, body: Buffer, encoding: string | undefined): Promise<CheckedUpload> {
    const isSmall = body.length <= (encoding === undefined ? smallBytes : smallCompressedBytes);
    if (isSmall) {
      try {
        return checkUpload(body, encoding, smallBytes);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'payload_too_large') throw error;
        // The decompressed body is large.
      }
    }
    const { promise, resolve, reject } = Promise.withResolvers<CheckedUpload>();
    const queue = this.#queues.get(accountId) ?? [];
    queue.push({ body, encoding, resolve, reject });
    this.#queues.set(accountId, queue);
    this.#next();
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const thread = this.#thread;
    this.#end(thread);
    await thread?.terminate();
  }

  #next(): void {
    if (this.#current) return;
    const [first] = this.#queues;
    if (!first) return;
    const [accountId, queue] = first;
    this.#current = queue.shift()!;
    this.#queues.delete(accountId);
    if (queue.length > 0) this.#queues.set(accountId, queue);
    const { body, encoding } = this.#current;
    this.#thread ??= this.#start();
    this.#thread.postMessage({ body, encoding } satisfies CheckRequest, []);
  }

  #start(): Worker {
    const thread = new Worker(this.#program, {
      resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
    });
    thread.unref();
    thread.on('message', (reply: CheckReply) => {
      if (thread !== this.#thread) return; // its last reply, after it was ended
      const { resolve, reject } = this.#current!;
      this.#current = null;
      if ('upload' in reply) resolve(withBuffers(reply.upload));
      else reject(new ApiError(reply.problem.code, reply.problem));
      this.#next();
    });
    thread.on('error', (error) => this.#log.error({ err: error }, 'the thread that checks uploads failed'));
    thread.on('exit', () => this.#end(thread));
    return thread;
  }

  /** Rejects the uploads that waited for a thread that ended. Clients send them again. */
  #end(thread: Worker | null): void {
    if (thread !== this.#thread) return;
    this.#thread = null;
    const waiting = [...(this.#current ? [this.#current] : []), ...[...this.#queues.values()].flat()];
    this.#current = null;
    this.#queues.clear();
    for (const { reject } of waiting) reject(new ApiError('unavailable', { retryAfterSeconds: 1 }));
  }
}

/** Threads receive buffers as plain arrays of bytes. */
function withBuffers(upload: CheckedUpload): CheckedUpload {
  return { ...upload, digest: Buffer.from(upload.digest), payload: asBuffer(upload.payload) };
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
