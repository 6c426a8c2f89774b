import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@tributary/contract';
import type pg from 'pg';
import { insertUploads, uploadKey, type Upload } from '../../store/uploads/raw-batches.ts';

/** Maximum number of uploads committed by one statement. */
const mostTogether = 128;
const mostBytesTogether = 8 * 1024 * 1024;
/** How long to collect uploads for the next commit after a commit of several. */
const gatherMs = 4;
/** Maximum queue length. Beyond it the database is the bottleneck, and uploads are rejected with a retry delay. */
const mostWaiting = 2_000;

interface Waiting {
  upload: Upload;
  resolve: (isInserted: boolean) => void;
  reject: (error: unknown) => void;
}

/**
 * Commits uploads in groups: while one statement runs, arriving uploads wait for the next one. A single upload is committed immediately. Under load,
 * one commit, one disk write and one round trip serve many uploads. Each caller gets the result of its own upload.
 */
export class UploadQueue {
  readonly #db: pg.Pool;
  readonly #committed: (uploads: readonly Upload[]) => void;
  #waiting: Waiting[] = [];
  #running = false;

  /** `committed` is called with every group after its commit. */
  constructor(db: pg.Pool, committed: (uploads: readonly Upload[]) => void) {
    this.#db = db;
    this.#committed = committed;
  }

  /** Resolves once the upload is committed: true if it was inserted, false if not. */
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

  /** Takes as many uploads as fit, in order of arrival, and at least one. */
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
      const insertedKeys = await insertUploads(this.#db, uploads);
      this.#committed(uploads.filter((upload) => insertedKeys.has(uploadKey(upload))));
      // Of two uploads with the same ID in one group, only one was inserted. The caller of the other reads it like any repeat.
      for (const { upload, resolve } of group) resolve(insertedKeys.delete(uploadKey(upload)));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}
