import pg from 'pg';

const checkEveryMs = 500;
/** How long closing a connection may take before its socket is destroyed. */
const closeMs = 2_000;
/** Network failures without a reset are found on idle connections by probes, sent after this time. */
const keepAliveAfterMs = 10_000;

export interface WatchOptions {
  /** How long PostgreSQL may take to respond. `Infinity` for migrations. */
  deadlineMs: number;
  /** Called with every response. */
  onResponse?: (() => void) | undefined;
  /** Whether statements are prepared under their names. */
  namedStatements: boolean;
}

/** The parts of a connection of the library that its types leave out. */
interface Internals {
  connection: NodeJS.EventEmitter & { stream: { destroy(error?: Error): void } };
  processID: number | null;
}

const open = new Set<WatchedClient>();

/**
 * A connection that does not wait forever for a host that disappeared without a reset. If a response is overdue, the connection is destroyed and its
 * statements fail. So are all connections of the process that have not heard from the server since: the idle ones would fail the next statements one
 * after another, and statements of a long transaction would wait for minutes.
 */
export class WatchedClient extends pg.Client {
  readonly #watch: WatchOptions;
  #deadlineMs: number;
  /** Statements without a response. */
  #pending = 0;
  /** When the server last responded, or the first pending statement was sent. */
  #progressAt = performance.now();
  #checkedAt = performance.now();

  constructor(config: pg.ClientConfig, watch: WatchOptions) {
    super({ ...config, keepAlive: true, keepAliveInitialDelayMillis: keepAliveAfterMs });
    // The driver prefers the password of the connection string even if it contains none.
    if (typeof config.password === 'string') this.password = config.password;
    this.#watch = watch;
    this.#deadlineMs = watch.deadlineMs;
    // Without a listener, a connection that breaks would end the process. Its statements fail by themselves.
    this.on('error', () => {});
    this.#countStatements();
    this.#closeSoon();
    const timer = setInterval(() => this.#check(), checkEveryMs).unref();
    open.add(this);
    this.once('end', () => {
      clearInterval(timer);
      open.delete(this);
    });
  }

  /** The process of the server that the connection was opened with. A pooler reports another number. */
  get serverPid(): number | null {
    return this.#internals.processID;
  }

  /** Allows statements to take this long until the result is disposed. */
  extendDeadline(deadlineMs: number): Disposable {
    this.#deadlineMs = Math.max(deadlineMs, this.#watch.deadlineMs);
    return { [Symbol.dispose]: () => void (this.#deadlineMs = this.#watch.deadlineMs) };
  }

  get #internals(): Internals {
    return this as unknown as Internals;
  }

  #countStatements(): void {
    const library = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
    const counted = (statement: unknown, ...rest: unknown[]): unknown => {
      if (this.#pending === 0) this.#progressAt = performance.now();
      this.#pending += 1;
      const sent = this.#watch.namedStatements ? statement : withoutName(statement);
      return Reflect.apply(library.query, this, [sent, ...rest]);
    };
    this.query = counted as typeof this.query;
    this.#internals.connection.on('readyForQuery', () => {
      this.#pending = Math.max(0, this.#pending - 1);
      this.#progressAt = performance.now();
      this.#watch.onResponse?.();
    });
  }

  /** A silent server would never acknowledge the end of a connection. */
  #closeSoon(): void {
    const end = this.end.bind(this) as (...args: unknown[]) => unknown;
    const ended = (...args: unknown[]): unknown => {
      setTimeout(() => this.#internals.connection.stream.destroy(), closeMs).unref();
      return end(...args);
    };
    this.end = ended as typeof this.end;
  }

  #check(): void {
    const now = performance.now();
    // After a stall of this process, responses may be unread in the socket. Let them be read first.
    const hasStalled = now - this.#checkedAt > 2 * checkEveryMs;
    this.#checkedAt = now;
    if (hasStalled || this.#pending === 0 || now - this.#progressAt < this.#deadlineMs) return;
    const silentSince = this.#progressAt;
    for (const client of open)
      if (client.#progressAt <= silentSince && client.#deadlineMs < Infinity)
        client.#destroy(now - silentSince);
  }

  #destroy(silentMs: number): void {
    const message = `PostgreSQL did not respond within ${Math.round(silentMs / 1000)} s`;
    this.#internals.connection.stream.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
  }
}

function withoutName(statement: unknown): unknown {
  return typeof statement === 'object' && statement !== null && 'name' in statement
    ? { ...statement, name: undefined }
    : statement;
}
