import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import { hashSecret } from '../../credentials/secret-token.ts';
import { publicKeyOf, userTokenLifetimeSeconds } from '../../credentials/user-token.ts';
import {
  findAccountState,
  findApiKeyByHash,
  type AccountState,
  type ApiKeyIdentity,
} from '../../store/api-keys.ts';
import { listValidSigningKeys, type SigningKey } from '../../store/signing-keys.ts';

const lifetimeMs = 500;
const mostEntries = 10_000;

/**
 * What this node remembers of credentials: for half a second at most, and dropped by broadcast when one changes. So a revoked key
 * ends on every node within a second, even when the broadcast is lost.
 */
export class CredentialCache {
  readonly #db: pg.Pool;
  readonly #keys = new Remembered<ApiKeyIdentity | null>();
  readonly #accounts = new Remembered<AccountState | null>();
  readonly #signingKeys = new Remembered<SigningKey[]>();

  constructor(db: pg.Pool) {
    this.#db = db;
  }

  /** Takes the key itself, so that hashing is spared while it is remembered; well-formed ones only. */
  findApiKey(secret: string): Promise<ApiKeyIdentity | null> {
    return this.#keys.get(secret, () => findApiKeyByHash(this.#db, hashSecret(secret)));
  }

  /** What was found under this key a moment ago; undefined when it has to be looked up. */
  recallApiKey(secret: string): ApiKeyIdentity | null | undefined {
    return this.#keys.recall(secret);
  }

  /** Whether this key was found a moment ago. */
  knowsApiKey(secret: string): boolean {
    return this.#keys.has(secret);
  }

  findAccount(accountId: string): Promise<AccountState | null> {
    return this.#accounts.get(accountId, () => findAccountState(this.#db, accountId));
  }

  /** Keys that may verify a user token, newest first. A retired one serves for as long as a token it signed can live. */
  listSigningKeys(): Promise<SigningKey[]> {
    return this.#signingKeys.get('all', () =>
      listValidSigningKeys(this.#db, userTokenLifetimeSeconds * 1000),
    );
  }

  async findPublicKey(kid: string): Promise<KeyObject | null> {
    const key = (await this.listSigningKeys()).find((candidate) => candidate.id === kid);
    return key ? publicKeyOf(key) : null;
  }

  /** Forgets everything: something changed, and asking again is cheap. */
  clear(): void {
    this.#keys.clear();
    this.#accounts.clear();
    this.#signingKeys.clear();
  }
}

/** Values that live for a moment, counted from when they were asked for, with one look-up at a time for each. */
class Remembered<T> {
  readonly #entries = new Map<string, { value: Promise<T>; until: number; settled?: T }>();

  get(key: string, look: () => Promise<T>): Promise<T> {
    const now = performance.now();
    const found = this.#entries.get(key);
    if (found && found.until > now) return found.value;
    this.#forgetOld(now);
    const value = look();
    const entry: { value: Promise<T>; until: number; settled?: T } = { value, until: now + lifetimeMs };
    this.#entries.delete(key); // so that it stands last: entries are in order of their end
    this.#entries.set(key, entry);
    value.then(
      (settled) => (entry.settled = settled),
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return value;
  }

  /** The value that `get` would answer, where it is there already. */
  recall(key: string): T | undefined {
    const found = this.#entries.get(key);
    return found && found.until > performance.now() ? found.settled : undefined;
  }

  has(key: string): boolean {
    return (this.#entries.get(key)?.until ?? 0) > performance.now();
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Nothing stays in memory past its time, and no more than fits. */
  #forgetOld(now: number): void {
    for (const [key, { until }] of this.#entries) {
      if (until > now && this.#entries.size < mostEntries) return;
      this.#entries.delete(key);
    }
  }
}
