import { connect, type NatsConnection } from '@nats-io/transport-node';

/** The connection to NATS. It may not be established yet or be lost. Nothing here waits for it, so it never delays a request. */
export class Broker {
  #connection: NatsConnection | null = null;
  #connected = false;
  #closing = false;
  #lost = new AbortController();
  readonly #listeners: ((connection: NatsConnection) => void)[] = [];

  constructor(url: string, name: string) {
    // A wrong URL shows in readiness for as long as it stays wrong.
    this.#connect(url, name).catch(() => {});
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** The connection, or null until the first one is established. */
  get connection(): NatsConnection | null {
    return this.#connection;
  }

  /** Aborts when the current connection is lost: requests over it will get no reply. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Calls immediately if there is a connection, otherwise as soon as the first one is established. */
  whenConnected(listener: (connection: NatsConnection) => void): void {
    if (this.#connection) listener(this.#connection);
    else this.#listeners.push(listener);
  }

  /**
   * Publishes to every listening node, once the first connection is established. Messages are lost without harm if the broker is unavailable later.
   */
  publish(subject: string, payload = ''): void {
    if (this.#connected || !this.#connection)
      this.whenConnected((connection) => connection.publish(subject, payload));
  }

  /** Waits until published messages have reached the broker, or the timeout. */
  async flush(timeoutMs: number): Promise<void> {
    const flushed = new Promise<void>((resolve, reject) => {
      this.whenConnected((connection) => void connection.flush().then(resolve, reject));
    });
    const late = new Promise<void>((resolve) => setTimeout(resolve, timeoutMs).unref());
    await Promise.race([flushed, late]).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true;
    this.#connected = false;
    await this.#connection?.close();
  }

  async #connect(url: string, name: string): Promise<void> {
    const connection = await connect({
      servers: url.split(','),
      name,
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 500,
      pingInterval: 5_000,
      maxPingOut: 2,
      // A host that accepts a connection and says nothing must not delay the next attempt.
      timeout: 3_000,
    });
    if (this.#closing) return connection.close();
    this.#connection = connection;
    this.#connected = true;
    for (const listener of this.#listeners) listener(connection);
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'close') {
        this.#connected = false;
        this.#lost.abort();
      }
      if (status.type === 'reconnect') {
        this.#lost = new AbortController();
        this.#connected = true;
      }
    }
  }
}
