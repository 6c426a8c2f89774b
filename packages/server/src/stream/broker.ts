import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  describeFailure,
  type ConnectionFailure,
  type ConnectionObserver,
} from '../settings/connection-failure.ts';
import { connectNats } from './connect-nats.ts';
import type { NatsSettings } from './nats-settings.ts';

const retryMs = 500;
/** How long the client may take to reconnect before the cause is determined, and how often it is determined again. */
const explainAfterMs = 2_000;
const explainEveryMs = 15_000;

/** The connection to NATS. It may not be established yet or be lost. Nothing here waits for it, so it never delays a request. */
export class Broker {
  #connection: NatsConnection | null = null;
  #connected = false;
  readonly #closing = new AbortController();
  #lost = new AbortController();
  #failure: ConnectionFailure | null = null;
  /** Reasons of the current outage that were reported. Servers with several addresses fail for alternating reasons. */
  readonly #reported = new Set<string>();
  readonly #settings: NatsSettings;
  readonly #name: string;
  readonly #observer: ConnectionObserver | undefined;
  readonly #listeners: ((connection: NatsConnection) => void)[] = [];

  constructor(settings: NatsSettings, name: string, observer?: ConnectionObserver) {
    this.#settings = settings;
    this.#name = name;
    this.#observer = observer;
    void this.#run();
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** Why there is no connection. Null while there is one, or the first attempt has not ended. */
  get failure(): ConnectionFailure | null {
    return this.#failure;
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
    this.#closing.abort();
    this.#connected = false;
    await this.#connection?.close();
  }

  async #run(): Promise<void> {
    const connection = await this.#connectFirst();
    if (connection === null) return;
    if (this.#closing.signal.aborted) return connection.close();
    this.#connection = connection;
    this.#noteAvailable();
    for (const listener of this.#listeners) listener(connection);
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'close') this.#noteLost();
      if (status.type === 'reconnect') {
        this.#lost = new AbortController();
        this.#noteAvailable();
      }
    }
  }

  async #connectFirst(): Promise<NatsConnection | null> {
    while (!this.#closing.signal.aborted) {
      try {
        return await connectNats(this.#settings, { name: this.#name });
      } catch (error) {
        this.#noteFailure(error);
        await this.#pause(retryMs);
      }
    }
    return null;
  }

  #noteLost(): void {
    this.#connected = false;
    if (this.#lost.signal.aborted || this.#closing.signal.aborted) return;
    this.#lost.abort();
    void this.#explain(this.#lost);
  }

  /** The client reconnects without reporting why it fails. A second connection finds out. */
  async #explain(outage: AbortController): Promise<void> {
    await this.#pause(explainAfterMs);
    while (this.#lost === outage && !this.#closing.signal.aborted) {
      try {
        const options = { name: `${this.#name}-check`, reconnect: false };
        await (await connectNats(this.#settings, options)).close();
      } catch (error) {
        if (this.#lost === outage) this.#noteFailure(error);
      }
      await this.#pause(explainEveryMs);
    }
  }

  #noteAvailable(): void {
    this.#connected = true;
    if (this.#failure) this.#observer?.available();
    this.#failure = null;
    this.#reported.clear();
  }

  #noteFailure(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.#failure = describeFailure(error);
    if (this.#reported.has(this.#failure.reason)) return;
    this.#reported.add(this.#failure.reason);
    this.#observer?.unavailable(this.#failure);
  }

  /** Does not keep the process alive, because a command ends without a connection. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
  }
}
