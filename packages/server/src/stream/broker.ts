import { connect, type NatsConnection } from '@nats-io/transport-node';

/** The connection to NATS. It may not stand yet, or be away: nothing here waits for it, so it never holds a request up. */
export class Broker {
  #connection: NatsConnection | null = null;
  #connected = false;
  #closing = false;
  #lost = new AbortController();
  readonly #listeners: ((connection: NatsConnection) => void)[] = [];

  constructor(url: string, name: string) {
    // An address that is wrong shows in readiness for as long as it stays wrong.
    this.#connect(url, name).catch(() => {});
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** The connection, or null until the first one stands. */
  get connection(): NatsConnection | null {
    return this.#connection;
  }

  /** Aborts when the connection of this moment is lost: what was asked for over it will not be answered. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Calls now if there is a connection, else as soon as the first one stands. */
  whenConnected(listener: (connection: NatsConnection) => void): void {
    if (this.#connection) listener(this.#connection);
    else this.#listeners.push(listener);
  }

  /** Sends to every node that listens, as soon as the first connection stands; lost without harm when the broker is away after that. */
  publish(subject: string, payload = ''): void {
    if (this.#connected || !this.#connection)
      this.whenConnected((connection) => connection.publish(subject, payload));
  }

  /** Waits until what was published has reached the broker, or the time is up. */
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
