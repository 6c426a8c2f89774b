import type { Logger } from 'pino';
import type { Queryable } from '../../store/database.ts';
import { noteKeyUse } from '../../store/api-keys.ts';

const everyMs = 15_000;

/** Remembers when and from where keys were used last, and writes it down now and then: a request never waits for it. */
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

  /** Writes down what is not written down yet. */
  async flush(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = [...this.#uses].map(([keyId, use]) => ({ keyId, ...use }));
    this.#uses = new Map();
    await noteKeyUse(this.#operator, uses).catch((error: unknown) =>
      this.#log.warn({ err: error }, 'use of keys not noted'),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
