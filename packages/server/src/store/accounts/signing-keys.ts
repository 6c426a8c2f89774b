import type { Queryable } from '../database/database.ts';

export interface SigningKey {
  id: string;
  publicKey: Buffer;
  /** Encrypted. */
  privateKey: Buffer;
  createdAt: string;
  retiredAt: string | null;
}

const columns = `id, public_key AS "publicKey", private_key AS "privateKey", created_at AS "createdAt", retired_at AS "retiredAt"`;

/** Every key that may still verify tokens, newest first: the one in use and those retired less than `graceMs` ago. */
export async function listValidSigningKeys(db: Queryable, graceMs: number): Promise<SigningKey[]> {
  const result = await db.query<SigningKey>({
    name: 'signing-keys/valid',
    text: `SELECT ${columns} FROM signing_keys
           WHERE retired_at IS NULL OR retired_at > tributary_now() - $1 * interval '1 millisecond'
           ORDER BY retired_at IS NULL DESC, created_at DESC`,
    values: [graceMs],
  });
  return result.rows;
}

/** Serializes changes of the signing keys until the transaction ends. */
export async function lockSigningKeys(tx: Queryable): Promise<void> {
  await tx.query({ text: `LOCK TABLE signing_keys IN SHARE ROW EXCLUSIVE MODE` });
}

export async function retireSigningKeys(tx: Queryable): Promise<void> {
  await tx.query({ text: `UPDATE signing_keys SET retired_at = tributary_now() WHERE retired_at IS NULL` });
}

export async function insertSigningKey(
  tx: Queryable,
  key: { id: string; publicKey: Buffer; privateKey: Buffer },
): Promise<void> {
  await tx.query({
    text: `INSERT INTO signing_keys (id, public_key, private_key) VALUES ($1, $2, $3)`,
    values: [key.id, key.publicKey, key.privateKey],
  });
}

/** Deletes retired keys. With `graceMs` 0, every token they signed becomes invalid immediately. */
export async function deleteRetiredSigningKeys(db: Queryable, graceMs: number): Promise<number> {
  const result = await db.query({
    text: `DELETE FROM signing_keys WHERE retired_at <= tributary_now() - $1 * interval '1 millisecond'`,
    values: [graceMs],
  });
  return result.rowCount ?? 0;
}
