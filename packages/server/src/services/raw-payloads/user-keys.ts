import { ApiError } from '@tributary/contract';
import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { KeyPlace } from '../../credentials/payload-cipher.ts';
import type { Keyring } from '../../credentials/keyring.ts';
import type { Queryable } from '../../store/database/database.ts';
import { insertUserKeys, listRawKeys } from '../../store/raw-keys/raw-keys.ts';

/** How long a key may stay in memory. After an erasure, a node can decrypt payloads of the user for this long. */
const keyLifetimeMs = 5 * 60_000;
const sweepEveryMs = 60_000;
/** Maximum number of keys in memory. Beyond it the oldest are read again. */
const mostKeys = 50_000;
/** Maximum number of keys per query. */
const mostTogether = 500;

/** Thrown for a user whose key was destroyed: nothing can be stored for this user anymore. */
export class KeyDestroyedError extends Error {
  override name = 'KeyDestroyedError';
}

/** What the seal of a stored key is bound to. */
export const rawKeySeal = (id: string) => `raw_keys:${id}`;

/** A new key, sealed for the store. */
export function createRawKey(keyring: Keyring, id: string): { id: string; sealed: Buffer; key: KeyObject } {
  const bytes = randomBytes(32);
  return { id, sealed: keyring.encrypt(bytes, rawKeySeal(id)), key: createSecretKey(bytes) };
}

export function openRawKey(keyring: Keyring, id: string, sealed: Buffer): KeyObject {
  return createSecretKey(keyring.decrypt(sealed, rawKeySeal(id)));
}

/** Whatever is wrong with the key store, the client can only retry. */
export function keyStoreUnavailable(cause: unknown): ApiError {
  return new ApiError('unavailable', { retryAfterSeconds: 1, cause });
}

type Waiting = PromiseWithResolvers<KeyObject>;

/** The keys of users in one store. Reads and creates them in groups, and keeps them in memory for a few minutes. */
export class UserKeys implements Disposable {
  readonly place: KeyPlace;
  readonly #db: Queryable;
  readonly #keyring: Keyring;
  /** In order of expiry. */
  readonly #cached = new Map<string, { key: KeyObject; expiresAt: number }>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #sweep: NodeJS.Timeout;
  #running = false;

  constructor(place: KeyPlace, db: Queryable, keyring: Keyring) {
    this.place = place;
    this.#db = db;
    this.#keyring = keyring;
    this.#sweep = setInterval(() => this.#dropExpired(), sweepEveryMs).unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#sweep);
    this.#cached.clear();
  }

  /** The key of a user, created if there is none. Throws `KeyDestroyedError` if the user was erased. */
  async create(userId: string): Promise<KeyObject> {
    const cached = this.#findCached(userId);
    if (cached) return cached;
    let waiting = this.#waiting.get(userId);
    if (!waiting) this.#waiting.set(userId, (waiting = Promise.withResolvers<KeyObject>()));
    if (!this.#running) void this.#run();
    return waiting.promise;
  }

  /** The keys of these users, as far as they exist. */
  async find(userIds: readonly string[]): Promise<Map<string, KeyObject>> {
    const keys = new Map<string, KeyObject>();
    const missing: string[] = [];
    for (const id of new Set(userIds)) {
      const cached = this.#findCached(id);
      if (cached) keys.set(id, cached);
      else missing.push(id);
    }
    for (let at = 0; at < missing.length; at += mostTogether)
      for (const { id, sealed } of await listRawKeys(this.#db, missing.slice(at, at + mostTogether)))
        if (sealed) keys.set(id, this.#remember(id, sealed));
    return keys;
  }

  forget(userId: string): void {
    this.#cached.delete(userId);
  }

  /** While one group is read, further requests wait for the next. */
  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.size > 0) {
      const group = [...this.#waiting].slice(0, mostTogether);
      for (const [id] of group) this.#waiting.delete(id);
      try {
        await this.#readOrCreate(new Map(group));
      } catch (error) {
        const cause = this.place === 'key_store' ? keyStoreUnavailable(error) : error;
        for (const [, { reject }] of group) reject(cause);
      }
    }
    this.#running = false;
  }

  async #readOrCreate(group: Map<string, Waiting>): Promise<void> {
    const stored = await listRawKeys(this.#db, [...group.keys()]);
    const known = new Set(stored.map(({ id }) => id));
    const missing = [...group.keys()].filter((id) => !known.has(id));
    if (missing.length > 0) {
      await insertUserKeys(
        this.#db,
        missing.map((id) => createRawKey(this.#keyring, id)),
      );
      // Another node may have been faster, or the user was erased.
      stored.push(...(await listRawKeys(this.#db, missing)));
    }
    for (const { id, sealed } of stored) {
      const { resolve, reject } = group.get(id)!;
      if (!sealed) {
        reject(new KeyDestroyedError('the key of this user was destroyed'));
        continue;
      }
      try {
        resolve(this.#remember(id, sealed));
      } catch (error) {
        reject(error);
      }
    }
  }

  #findCached(id: string): KeyObject | null {
    const cached = this.#cached.get(id);
    return cached && cached.expiresAt > performance.now() ? cached.key : null;
  }

  #remember(id: string, sealed: Buffer): KeyObject {
    const key = openRawKey(this.#keyring, id, sealed);
    this.#cached.delete(id);
    this.#cached.set(id, { key, expiresAt: performance.now() + keyLifetimeMs });
    if (this.#cached.size > mostKeys) this.#cached.delete(this.#cached.keys().next().value!);
    return key;
  }

  #dropExpired(): void {
    const now = performance.now();
    for (const [id, { expiresAt }] of this.#cached) {
      if (expiresAt > now) return;
      this.#cached.delete(id);
    }
  }
}
