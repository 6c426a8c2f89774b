import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  insertAccessRecords,
  maintainAccessRecords,
  type AccessRecord,
} from '../../store/access-records/insert.ts';
import type { Queryable } from '../../store/database/database.ts';

/** How long a record waits for others. A process that is killed loses at most the records of this time and of one write. */
const gatherMs = 200;
const mostPerWrite = 1_000;
/** Above this number, reads are rejected until the database takes records again. */
const mostWaiting = 20_000;
const retryMs = 500;
/** How long a stopping process tries to write what is left. */
const lastAttemptsMs = 3_000;
/** PostgreSQL found no table for the month of a record. */
const noPartition = '23514';

interface RecorderOptions {
  operator: Queryable;
  log: Logger;
  retentionDays: number;
  onWritten: (records: number) => void;
  onLost: (records: number) => void;
}

/** Collects access records in memory and writes them together, so that no read waits for its record. */
export class AccessRecorder implements AsyncDisposable {
  readonly #options: RecorderOptions;
  #waiting: AccessRecord[] = [];
  #writing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Whether the last write failed, and the next one waits for its time. */
  #isPausing = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  note(record: AccessRecord): void {
    this.#waiting.push(record);
    if (this.#waiting.length >= mostPerWrite && !this.#isPausing) void this.#writeSafely();
    else this.#schedule(gatherMs);
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** The time of the oldest record that is not written; null if there is none. */
  get oldestMs(): number | null {
    return this.#waiting[0]?.atMs ?? null;
  }

  /** Whether no more reads may be served. Those in flight may still add their records. */
  get isFull(): boolean {
    return this.#waiting.length >= mostWaiting;
  }

  /** Writes everything noted so far. Throws if the database does not take it. */
  async flush(): Promise<void> {
    await this.#writing;
    await this.#write();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const until = performance.now() + lastAttemptsMs;
    while (this.#waiting.length > 0) {
      try {
        await this.flush();
      } catch (error) {
        if (performance.now() > until) this.#lose(error);
        else await sleep(gatherMs);
      }
    }
    if (this.#timer) clearTimeout(this.#timer);
  }

  #lose(error: unknown): void {
    const records = this.#waiting.length;
    this.#options.log.error({ err: error, records }, 'access records lost: the database did not take them');
    this.#options.onLost(records);
    this.#waiting = [];
  }

  #schedule(afterMs: number): void {
    if (this.#writing) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#isPausing = false;
      void this.#writeSafely();
    }, afterMs).unref();
  }

  async #writeSafely(): Promise<void> {
    try {
      await this.#write();
    } catch (error) {
      this.#isPausing = true;
      this.#options.log.warn({ err: error, records: this.#waiting.length }, 'failed to write access records');
    }
    if (this.#waiting.length > 0) this.#schedule(this.#isPausing ? retryMs : gatherMs);
  }

  /** One write at a time: a second caller waits for the first. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeBatches().finally(() => (this.#writing = null));
    return this.#writing;
  }

  async #writeBatches(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, mostPerWrite);
      await this.#insert(batch);
      // Removed only now. If it is uncertain whether they are stored, they are written again, which stores none of them twice.
      this.#waiting.splice(0, batch.length);
      this.#options.onWritten(batch.length);
    }
  }

  async #insert(batch: readonly AccessRecord[]): Promise<void> {
    const { operator, retentionDays } = this.#options;
    try {
      await insertAccessRecords(operator, batch);
    } catch (error) {
      if ((error as { code?: string }).code !== noPartition) throw error;
      await maintainAccessRecords(operator, retentionDays);
      await insertAccessRecords(operator, batch);
    }
  }
}
