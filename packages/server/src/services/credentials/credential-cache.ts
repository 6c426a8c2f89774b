import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import { hashSecret } from '../../credentials/secret-token.ts';
import { publicKeyOf, userTokenLifetimeSeconds } from '../../credentials/user-token.ts';
import {
  findAccountState,
  findApiKeyByHash,
  type AccountState,
  type ApiKeyIdentity,
} from '../../store/accounts/api-keys.ts';
import { listValidSigningKeys, type SigningKey } from '../../store/accounts/signing-keys.ts';

const lifetimeMs = 500;
const mostEntries = 10_000;

/**
 * Caches credentials for at most half a second. A broadcast clears the cache when a credential changes. Every node therefore rejects a revoked key
 * within a second, even if the broadcast is lost.
 */
export class CredentialCache {
  readonly #db: pg.Pool;
  readonly #keys = new Remembered<ApiKeyIdentity | null>();
  readonly #accounts = new Remembered<AccountState | null>();
  readonly #signingKeys = new Remembered<SigningKey[]>();
  /** Hashes of keys that existed when they were last looked up, oldest first. */
  readonly #genuine = new Set<string>();

  constructor(db: pg.Pool) {
    this.#db = db;
  }

  /** Takes the key itself, which must be well-formed, so that a cached key does not have to be hashed. */
  findApiKey(secret: string): Promise<ApiKeyIdentity | null> {
    return this.#keys.get(secret, async () => {
      const hash = hashSecret(secret);
      const key = await findApiKeyByHash(this.#db, hash);
      this.#noteGenuine(hash.toString('base64'), key !== null);
      return key;
    });
  }

  /** Returns whether this node has found this key before. Another query for it is not a guess, even if it is no longer valid. */
  isGenuine(secret: string): boolean {
    return this.#genuine.has(hashSecret(secret).toString('base64'));
  }

  #noteGenuine(hash: string, exists: boolean): void {
    this.#genuine.delete(hash);
    if (!exists) return;
    this.#genuine.add(hash);
    if (this.#genuine.size > mostEntries) this.#genuine.delete(this.#genuine.values().next().value!);
  }

  /** Returns the cached result for this key, or undefined if it has to be looked up. */
  recallApiKey(secret: string): ApiKeyIdentity | null | undefined {
    return this.#keys.recall(secret);
  }

  /** Returns whether a result for this key is cached. */
  knowsApiKey(secret: string): boolean {
    return this.#keys.has(secret);
  }

  findAccount(accountId: string): Promise<AccountState | null> {
    return this.#accounts.get(accountId, () => findAccountState(this.#db, accountId));
  }

  /** The keys that may verify a user token, newest first. A retired key stays valid as long as a token it signed can live. */
  listSigningKeys(): Promise<SigningKey[]> {
    return this.#signingKeys.get('all', () =>
      listValidSigningKeys(this.#db, userTokenLifetimeSeconds * 1000),
    );
  }

  async findPublicKey(kid: string): Promise<KeyObject | null> {
    const key = (await this.listSigningKeys()).find((candidate) => candidate.id === kid);
    return key ? publicKeyOf(key) : null;
  }

  /** Clears everything, because loading again is cheap. */
  clear(): void {
    this.#keys.clear();
    this.#accounts.clear();
    this.#signingKeys.clear();
  }
}

/** A short-lived cache with one lookup at a time per key. Lifetimes count from the start of the lookup. */
class Remembered<T> {
  readonly #entries = new Map<string, { value: Promise<T>; until: number; result?: T }>();

  get(key: string, load: () => Promise<T>): Promise<T> {
    const now = performance.now();
    const cached = this.#entries.get(key);
    if (cached && cached.until > now) return cached.value;
    this.#forgetOld(now);
    const value = load();
    const entry: { value: Promise<T>; until: number; result?: T } = { value, until: now + lifetimeMs };
    this.#entries.delete(key); // moves the key to the end: entries are ordered by expiry
    this.#entries.set(key, entry);
    value.then(
      (result) => (entry.result = result),
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return value;
  }

  /** Returns the value of `get` if it is already loaded. */
  recall(key: string): T | undefined {
    const cached = this.#entries.get(key);
    return cached && cached.until > performance.now() ? cached.result : undefined;
  }

  has(key: string): boolean {
    return (this.#entries.get(key)?.until ?? 0) > performance.now();
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Evicts expired entries, and the oldest ones if the cache is full. */
  #forgetOld(now: number): void {
    for (const [key, { until }] of this.#entries) {
      if (until > now && this.#entries.size < mostEntries) return;
      this.#entries.delete(key);
    }
  }
}
