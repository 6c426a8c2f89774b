import type { Logger } from 'pino';
import type { Queryable } from '../../store/database/database.ts';
import { noteKeyUse } from '../../store/accounts/api-keys.ts';

const everyMs = 15_000;

/** Tracks when and from where keys were last used, and writes it periodically, so that no request waits for it. */
export class KeyUse implements AsyncDisposable {
  readonly #operator: Queryable;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  readonly #now: () => number;
  #uses = new Map<string, { at: number; address: string }>();

  constructor(operator: Queryable, log: Logger, now: () => number) {
    this.#operator = operator;
    this.#log = log;
    this.#now = now;
    this.#timer = setInterval(() => void this.flush(), everyMs).unref();
  }

  note(keyId: string, address: string): void {
    this.#uses.set(keyId, { at: this.#now(), address });
  }

  /** Writes all uses that are not stored yet. */
  async flush(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = [...this.#uses].map(([keyId, use]) => ({ keyId, ...use }));
    this.#uses = new Map();
    await noteKeyUse(this.#operator, uses).catch((error: unknown) =>
      this.#log.warn({ err: error }, 'failed to record API key usage'),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
