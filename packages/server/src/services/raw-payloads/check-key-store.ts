import { ConfigError } from '../../environment-reader.ts';
import type { Queryable } from '../../store/database/database.ts';
import {
  createKeyStoreTables,
  findKeyStoreId,
  inspectKeyStore,
  recordKeyStoreId,
} from '../../store/raw-keys/key-store.ts';

/** Creates the tables of a new key store. An empty database never replaces the key store of an installation. */
export async function prepareKeyStore(main: Queryable, keyStore: Queryable): Promise<void> {
  const { isMainDatabase, isPrepared } = await inspectKeyStore(keyStore);
  if (isMainDatabase) throw sameDatabase();
  if ((await findKeyStoreId(main)) !== null && !isPrepared) throw wrongStore();
  await createKeyStoreTables(keyStore);
}

/**
 * Refuses a key store that is not the one of this database: with another one, no node could read the payloads encrypted so far. The first key store
 * that a process is started with becomes the one of the database.
 */
export async function checkKeyStore(main: Queryable, keyStore: Queryable | null): Promise<void> {
  const expected = await findKeyStoreId(main);
  if (!keyStore) {
    if (expected === null) return;
    throw new ConfigError(
      'KEY_STORE_URL is missing: the keys of the raw payloads in this database are in a separate key store.',
    );
  }
  const { isMainDatabase, isPrepared } = await inspectKeyStore(keyStore);
  if (isMainDatabase) throw sameDatabase();
  const own = isPrepared ? await findKeyStoreId(keyStore) : null;
  if (own === null)
    throw expected === null
      ? new ConfigError('The database in KEY_STORE_URL has no tables yet. Run `tributary migrate` first.')
      : wrongStore();
  if (expected === null) await recordKeyStoreId(main, own);
  if ((await findKeyStoreId(main)) !== own) throw wrongStore();
}

function sameDatabase(): ConfigError {
  return new ConfigError(
    'KEY_STORE_URL names the main database. Use a separate database with backups of its own, or remove the setting.',
  );
}

function wrongStore(): ConfigError {
  return new ConfigError(
    'The database in KEY_STORE_URL is not the key store of this installation. Its keys are needed to read raw payloads: set the URL of the key store that was used so far, or restore it from its backup.',
  );
}
