import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@tributary/contract';
import type pg from 'pg';
import { insertUploads, uploadKey, type Upload } from '../../store/raw-batches.ts';

/** Uploads committed by one statement, at most. */
const mostTogether = 128;
const mostBytesTogether = 8 * 1024 * 1024;
/** How long uploads gather for the next commit while others are being committed. */
const gatherMs = 4;
/** Uploads that may wait for their turn; past that the database is the bottleneck, and clients are asked to come back. */
const mostWaiting = 2_000;

interface Waiting {
  upload: Upload;
  resolve: (taken: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * Commits uploads together: while one statement runs, what arrives gathers for the next. A lone upload goes at once and waits for
 * nobody; under load one commit, one write to disk and one round trip serve many. Each upload hears of its own commit.
 */
export class UploadQueue {
  readonly #db: pg.Pool;
  readonly #committed: (uploads: readonly Upload[]) => void;
  #waiting: Waiting[] = [];
  #running = false;

  /** `committed` is told of every group after its commit. */
  constructor(db: pg.Pool, committed: (uploads: readonly Upload[]) => void) {
    this.#db = db;
    this.#committed = committed;
  }

  /** Resolves once the upload is committed: true, or false when it was not taken. */
  commit(upload: Upload): Promise<boolean> {
    if (this.#waiting.length >= mostWaiting) throw new ApiError('unavailable', { retryAfterSeconds: 1 });
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    this.#waiting.push({ upload, resolve, reject });
    if (!this.#running) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      const group = this.#nextGroup();
      await this.#insert(group);
      if (group.length > 1 && this.#waiting.length < mostTogether) await sleep(gatherMs);
    }
    this.#running = false;
  }

  /** As many as fit, in order of arrival, and at least one. */
  #nextGroup(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { upload } of this.#waiting) {
      bytes += upload.payload.length;
      if (count > 0 && (count >= mostTogether || bytes > mostBytesTogether)) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #insert(group: readonly Waiting[]): Promise<void> {
    try {
      const uploads = group.map(({ upload }) => upload);
      const taken = await insertUploads(this.#db, uploads);
      this.#committed(uploads.filter((upload) => taken.has(uploadKey(upload))));
      // Of two uploads with one id in one group, one was taken; the other is looked up as any repeat.
      for (const { upload, resolve } of group) resolve(taken.delete(uploadKey(upload)));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
