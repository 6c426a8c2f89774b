import { ApiError } from '@tributary/contract';
import { randomUUID, type KeyObject } from 'node:crypto';
import {
  decryptPayload,
  encryptPayload,
  keyPlaceOf,
  type KeyPlace,
} from '../../credentials/payload-cipher.ts';
import type { Keyring } from '../../credentials/keyring.ts';
import type { Queryable } from '../../store/database/database.ts';
import { isEncryptionStarted } from '../../store/raw-keys/encryption-progress.ts';
import { deletePushKeys, destroyUserKey, insertPushKey, listRawKeys } from '../../store/raw-keys/raw-keys.ts';
import { createRawKey, keyStoreUnavailable, openRawKey, UserKeys } from './user-keys.ts';

/** How often a node checks whether `tributary raw encrypt` was run, until it was. */
export const checkStartedEveryMs = 1_000;
/** A push must be committed this long after its key was stored. Much later, a sweep could take the key for a leftover. */
const longestPushCommitMs = 30_000;

interface StoredBatch {
  userId: string;
  batchId: string;
  payload: Buffer;
}

export interface EncryptedPush {
  keyId: string | null;
  body: Buffer;
  /** To be called once the push is committed and before it is acknowledged. Throws if its key may be gone. */
  confirm: () => void;
}

/** Thrown for a payload whose key does not exist. */
export class UnreadablePayloadError extends Error {
  override name = 'UnreadablePayloadError';
}

/** Encrypts and decrypts raw payloads: batches with the key of their user, pushes with a key each. */
export class RawPayloads implements Disposable {
  readonly #operator: Queryable;
  readonly #keyStore: Queryable | null;
  readonly #keyring: Keyring;
  readonly #keys: Record<KeyPlace, UserKeys | null>;
  readonly #own: UserKeys;
  #isStarted = false;
  #checkedAt = -Infinity;

  /** Without a separate key store, keys are in the main database. */
  constructor(operator: Queryable, keyStore: Queryable | null, keyring: Keyring) {
    this.#operator = operator;
    this.#keyStore = keyStore;
    this.#keyring = keyring;
    const database = new UserKeys('database', operator, keyring);
    const separate = keyStore && new UserKeys('key_store', keyStore, keyring);
    this.#keys = { database, key_store: separate };
    this.#own = separate ?? database;
  }

  [Symbol.dispose](): void {
    for (const keys of Object.values(this.#keys)) keys?.[Symbol.dispose]();
  }

  /** The separate key store, or null. */
  get keyStore(): Queryable | null {
    return this.#keyStore;
  }

  /** Where the keys of new payloads are. */
  get place(): KeyPlace {
    return this.#own.place;
  }

  /** Encrypts a compressed payload of a user. Throws `KeyDestroyedError` if the user was erased. */
  async encrypt(userId: string, batchId: string, plain: Buffer): Promise<Buffer> {
    if (!(await this.#mayEncrypt())) return plain;
    const key = await this.#own.create(userId);
    return encryptPayload({ key, place: this.#own.place }, plain, boundTo(userId, batchId));
  }

  /** The same for several batches of a user. */
  async encryptAll<Batch extends Omit<StoredBatch, 'userId'>>(
    userId: string,
    batches: readonly Batch[],
  ): Promise<Batch[]> {
    return Promise.all(
      batches.map(async (batch) => ({
        ...batch,
        payload: await this.encrypt(userId, batch.batchId, batch.payload),
      })),
    );
  }

  /** Reads the keys of batches. Returns a function that decrypts them and throws for a batch without its key. */
  async readKeys(
    batches: readonly Pick<StoredBatch, 'userId' | 'payload'>[],
  ): Promise<(batch: StoredBatch) => Buffer> {
    const usersIn = (place: KeyPlace) =>
      batches.filter(({ payload }) => keyPlaceOf(payload) === place).map(({ userId }) => userId);
    const [database, separate] = await Promise.all([
      this.#find('database', usersIn('database')),
      this.#find('key_store', usersIn('key_store')),
    ]);
    const keys = { database, key_store: separate };
    return ({ userId, batchId, payload }) => {
      const place = keyPlaceOf(payload);
      if (place === null) return payload;
      const key = keys[place].get(userId);
      if (!key) throw new UnreadablePayloadError('the key of this payload was destroyed');
      return decryptPayload(key, payload, boundTo(userId, batchId));
    };
  }

  /** Encrypts the compressed body of a push with a key of its own. */
  async encryptPush(plain: Buffer): Promise<EncryptedPush> {
    if (!(await this.#mayEncrypt())) return { keyId: null, body: plain, confirm: () => {} };
    const { id, sealed, key } = createRawKey(this.#keyring, randomUUID());
    const beganAt = performance.now();
    if (this.#keyStore)
      await insertPushKey(this.#keyStore, id, sealed).catch((error: unknown) => {
        throw keyStoreUnavailable(error);
      });
    else await insertPushKey(this.#operator, id, sealed);
    return {
      keyId: id,
      body: encryptPayload({ key, place: this.#own.place }, plain, pushBoundTo(id)),
      confirm() {
        if (performance.now() - beganAt > longestPushCommitMs)
          throw new ApiError('unavailable', { retryAfterSeconds: 1 });
      },
    };
  }

  /** The compressed body of a push, or null if its key does not exist anymore. */
  async decryptPush({ keyId, body }: { keyId: string | null; body: Buffer }): Promise<Buffer | null> {
    const place = keyId === null ? null : keyPlaceOf(body);
    if (keyId === null || place === null) return body;
    const [stored] = await listRawKeys(this.#databaseOf(place), [keyId]);
    return stored?.sealed
      ? decryptPayload(openRawKey(this.#keyring, keyId, stored.sealed), body, pushBoundTo(keyId))
      : null;
  }

  /** Destroys keys of pushes that are processed. */
  async destroyPushKeys(ids: readonly string[]): Promise<void> {
    for (const db of this.#databases) await deletePushKeys(db, ids);
  }

  /** Destroys the key of a user in every store. From then on no node can create another. */
  async destroyUserKey(userId: string): Promise<void> {
    for (const db of this.#databases) await destroyUserKey(db, userId);
    for (const keys of Object.values(this.#keys)) keys?.forget(userId);
  }

  get #databases(): Queryable[] {
    return this.#keyStore ? [this.#keyStore, this.#operator] : [this.#operator];
  }

  #databaseOf(place: KeyPlace): Queryable {
    if (place === 'database') return this.#operator;
    if (!this.#keyStore) throw missingStore();
    return this.#keyStore;
  }

  async #find(place: KeyPlace, userIds: readonly string[]): Promise<Map<string, KeyObject>> {
    if (userIds.length === 0) return new Map();
    const keys = this.#keys[place];
    if (!keys) throw missingStore();
    return keys.find(userIds);
  }

  /** Nodes of the previous release cannot read encrypted payloads, so an operator starts the encryption after the upgrade. */
  async #mayEncrypt(): Promise<boolean> {
    if (!this.#isStarted && performance.now() - this.#checkedAt > checkStartedEveryMs) {
      this.#isStarted = await isEncryptionStarted(this.#operator);
      this.#checkedAt = performance.now();
    }
    return this.#isStarted;
  }
}

/** The payload of a batch, or null if its key was destroyed or its bytes are corrupted. */
export function decryptIfReadable(
  decrypt: (batch: StoredBatch) => Buffer,
  batch: StoredBatch,
): Buffer | null {
  try {
    return decrypt(batch);
  } catch {
    return null;
  }
}

function boundTo(userId: string, batchId: string): string {
  return `raw_batches:${userId}:${batchId}`;
}

function pushBoundTo(keyId: string): string {
  return `provider_pushes:${keyId}`;
}

function missingStore(): Error {
  return new Error('a payload is encrypted with a key of the key store, but KEY_STORE_URL is not set');
}
