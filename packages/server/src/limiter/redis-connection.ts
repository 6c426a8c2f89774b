import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type RedisClientOptions } from 'redis';
import {
  describeFailure,
  type ConnectionFailure,
  type ConnectionObserver,
} from '../settings/connection-failure.ts';
import { parseRedisUrl, type RedisAddress, type RedisSettings, type RedisTarget } from './redis-settings.ts';

type None = Record<string, never>;
type RedisSocketOptions = NonNullable<RedisClientOptions['socket']>;

type RedisClient = ReturnType<typeof openClient>;

const retryMs = 100;

interface Login {
  user: string | undefined;
  password: string | undefined;
}

/**
 * A connection to Redis that is opened again whenever it is lost. Each attempt reads the settings again and asks the Sentinels for the primary, so
 * rotated passwords, renewed certificates and changes of the primary need no restart. Nothing waits for it.
 */
export class RedisConnection {
  readonly #settings: RedisSettings;
  readonly #observer: ConnectionObserver | undefined;
  readonly #closing = new AbortController();
  /** Aborts the current connection or attempt. */
  #attempt = new AbortController();
  #client: RedisClient | null = null;
  #failure: ConnectionFailure | null = null;
  readonly #reported = new Set<string>();
  /** The Sentinel to ask first. The next attempt starts with the next one. */
  #sentinelIndex = 0;

  constructor(settings: RedisSettings, observer?: ConnectionObserver) {
    this.#settings = settings;
    this.#observer = observer;
    void this.#run();
  }

  /** The connected client. Throws the reason if there is none. */
  get client(): RedisClient {
    if (this.#client === null) throw new Error(this.#failure?.reason ?? 'not connected');
    return this.#client;
  }

  /** Why there is no connection. Null while there is one, or the first attempt has not ended. */
  get failure(): ConnectionFailure | null {
    return this.#failure;
  }

  /** Drops the connection. A new one is opened automatically. */
  reset(): void {
    this.#attempt.abort(new Error('no response'));
  }

  close(): void {
    this.#closing.abort();
    this.#attempt.abort();
  }

  async #run(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      this.#attempt = new AbortController();
      const { signal } = this.#attempt;
      const opened = new DisposableStack();
      try {
        const { client, lost } = await this.#connect(opened, signal);
        signal.throwIfAborted();
        this.#noteAvailable(client);
        throw await lost;
      } catch (error) {
        this.#client = null;
        this.#noteFailure(error);
      } finally {
        opened.dispose();
      }
      await sleep(retryMs, undefined, { signal: this.#closing.signal, ref: false }).catch(() => {});
    }
  }

  async #connect(opened: DisposableStack, signal: AbortSignal) {
    const { url, user, password, sentinelUser, sentinelPassword } = this.#settings;
    const target = parseRedisUrl(url.read());
    if (target === null) throw new Error('REDIS_URL is not valid');
    const login = { user: user ?? target.user, password: password?.read() ?? target.password };
    if (target.primaryName === null) return this.#open(opened, signal, target.addresses[0]!, target, login);
    const sentinelLogin = { user: sentinelUser, password: sentinelPassword?.read() };
    const primary = await this.#findPrimary(signal, target, sentinelLogin);
    const connected = await this.#open(opened, signal, primary, target, login);
    // A Sentinel that missed a failover names the previous primary.
    const [role] = await connected.client.sendCommand<string[]>(['ROLE']);
    if (role !== 'master') throw new Error('the server that Sentinel named is not the primary');
    return connected;
  }

  /** Asks the Sentinels for the primary, one after another. */
  async #findPrimary(signal: AbortSignal, target: RedisTarget, login: Login): Promise<RedisAddress> {
    let failure: unknown = new Error('no Sentinel is reachable');
    const first = this.#sentinelIndex++;
    for (const index of target.addresses.keys()) {
      const address = target.addresses[(first + index) % target.addresses.length]!;
      using opened = new DisposableStack();
      try {
        const { client } = await this.#open(opened, signal, address, { ...target, database: 0 }, login);
        const name = target.primaryName!;
        const location = await client.sendCommand<string[] | null>([
          'SENTINEL',
          'GET-MASTER-ADDR-BY-NAME',
          name,
        ]);
        if (location?.[0] !== undefined) return { host: location[0], port: Number(location[1]) };
        failure = new Error('Sentinel does not know the primary that REDIS_URL names');
      } catch (error) {
        signal.throwIfAborted();
        failure = error;
      }
    }
    throw failure;
  }

  /** Connects once. `lost` resolves with the reason when the connection ends. */
  async #open(
    opened: DisposableStack,
    signal: AbortSignal,
    address: RedisAddress,
    target: RedisTarget,
    login: Login,
  ): Promise<{ client: RedisClient; lost: Promise<Error> }> {
    signal.throwIfAborted();
    const client = openClient({
      socket: this.#socketOptions(address, target.usesTls),
      ...(login.user && { username: login.user }),
      ...(login.password && { password: login.password }),
      database: target.database,
      disableOfflineQueue: true,
      // Pings keep a connection to a living host busy. A silent one is closed, also while it is being opened.
      pingInterval: 1_000,
    });
    const lost = Promise.withResolvers<Error>();
    client.on('error', (error: Error) => lost.resolve(error));
    const abort = () => {
      lost.resolve(signal.reason as Error);
      if (client.isOpen) client.destroy();
    };
    signal.addEventListener('abort', abort, { once: true });
    opened.defer(() => {
      signal.removeEventListener('abort', abort);
      if (client.isOpen) client.destroy();
    });
    await client.connect();
    return { client, lost: lost.promise };
  }

  #socketOptions({ host, port }: RedisAddress, usesTls: boolean): RedisSocketOptions {
    const common = { host, port, socketTimeout: 4_000, reconnectStrategy: false as const };
    if (!usesTls) return { ...common, connectTimeout: 500 };
    return {
      ...common,
      ...this.#settings.tls?.read(),
      tls: true,
      connectTimeout: 2_000,
      ...(isIP(host) === 0 && { servername: host }),
    };
  }

  #noteAvailable(client: RedisClient): void {
    this.#client = client;
    this.#failure = null;
    if (this.#reported.size > 0) this.#observer?.available();
    this.#reported.clear();
  }

  #noteFailure(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.#failure = describeFailure(error);
    if (this.#reported.has(this.#failure.reason)) return;
    this.#reported.add(this.#failure.reason);
    this.#observer?.unavailable(this.#failure);
  }
}

/** Gives the type of a client without modules a name. */
function openClient(options: RedisClientOptions<None, None, None, 3, None>) {
  return createClient(options);
}
