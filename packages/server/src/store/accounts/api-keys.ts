import type { LimitOverrides } from '../../account-limits.ts';
import type { Queryable } from '../database/database.ts';
import { accountRead, readAsAccount, type Environment } from '../database/tenant.ts';

/** The identity of a presented key, with the state of its account. */
export interface ApiKeyIdentity {
  keyId: string;
  accountId: string;
  environment: Environment;
  suspended: boolean;
  defaultForm: 1 | 2;
  userLimit: number | null;
  limits: LimitOverrides;
  syncIntervalSeconds: number;
  /** The name that invitees see; null until it is set. */
  organizationName: string | null;
  revoked: boolean;
  /** By the database's clock. Zero or less if the key has expired. */
  remainingMs: number;
}

const identityColumns = `a.status = 'suspended' AS suspended, a.default_form AS "defaultForm", a.user_limit AS "userLimit", a.limits,
  a.sync_interval_seconds AS "syncIntervalSeconds", a.organization_name AS "organizationName"`;

/** Finds a key by its hash. Row-level security shows only that key's row, and then its account. */
export async function findApiKeyByHash(db: Queryable, hash: Buffer): Promise<ApiKeyIdentity | null> {
  const result = await db.query<ApiKeyIdentity>({
    name: 'api-keys/by-hash',
    text: `SELECT k.id AS "keyId", k.account_id AS "accountId", k.environment, k.revoked_at IS NOT NULL AS revoked,
             (extract(epoch FROM k.expires_at - tributary_now()) * 1000)::float8 AS "remainingMs", account.*
           FROM (SELECT set_config('tributary.credential', encode($1, 'hex'), true) AS hash OFFSET 0) AS scope,
           LATERAL (SELECT * FROM api_keys WHERE hash = $1 AND scope.hash IS NOT NULL OFFSET 0) AS k,
           LATERAL (SELECT set_config('tributary.account', k.account_id::text, true) AS id OFFSET 0) AS account_scope,
           LATERAL (SELECT ${identityColumns} FROM accounts a
                    WHERE a.id = k.account_id AND account_scope.id IS NOT NULL OFFSET 0) AS account`,
    values: [hash],
  });
  return result.rows[0] ?? null;
}

/** The state of an account, for credentials that carry their tenant themselves. */
export type AccountState = Pick<
  ApiKeyIdentity,
  'suspended' | 'defaultForm' | 'userLimit' | 'limits' | 'syncIntervalSeconds' | 'organizationName'
>;

const selectState = accountRead(
  'accounts/state',
  `SELECT ${identityColumns} FROM accounts a WHERE in_account(a.id, $1::uuid)`,
);

export async function findAccountState(db: Queryable, accountId: string): Promise<AccountState | null> {
  const [state] = await readAsAccount<AccountState>(db, accountId, selectState, []);
  return state ?? null;
}

export interface ApiKey {
  id: string;
  accountId: string;
  environment: Environment;
  hint: string;
  createdAt: string;
  expiresAt: string;
  revokedAt: string | null;
  /** Who created it, as named in the audit log; null for keys created before this was recorded. */
  createdBy: string | null;
  lastUsedAt: string | null;
  lastUsedAddress: string | null;
}

const keyColumns = `id, account_id AS "accountId", environment, hint, created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt",
  created_by AS "createdBy", last_used_at AS "lastUsedAt", last_used_address AS "lastUsedAddress"`;

/** Revokes the active key of the environment, returns its id, and inserts the new one. Run in a transaction, as operator. */
export async function replaceApiKey(
  tx: Queryable,
  key: {
    id: string;
    accountId: string;
    environment: Environment;
    hash: Buffer;
    hint: string;
    lifetimeDays: number;
    createdBy: string;
  },
): Promise<{ key: ApiKey; replaced: string | null }> {
  // Serializes concurrent rotations: the later one revokes the key of the earlier one.
  await tx.query({ text: `SELECT FROM accounts WHERE id = $1 FOR UPDATE`, values: [key.accountId] });
  const revoked = await tx.query<{ id: string }>({
    text: `UPDATE api_keys SET revoked_at = tributary_now() WHERE account_id = $1 AND environment = $2 AND revoked_at IS NULL RETURNING id`,
    values: [key.accountId, key.environment],
  });
  const result = await tx.query<ApiKey>({
    text: `INSERT INTO api_keys (id, account_id, environment, hash, hint, expires_at, created_by)
           VALUES ($1, $2, $3, $4, $5, tributary_now() + $6 * interval '1 day', $7) RETURNING ${keyColumns}`,
    values: [key.id, key.accountId, key.environment, key.hash, key.hint, key.lifetimeDays, key.createdBy],
  });
  return { key: result.rows[0]!, replaced: revoked.rows[0]?.id ?? null };
}

const selectAll = accountRead(
  'api-keys/list',
  `SELECT ${keyColumns} FROM api_keys WHERE in_account(account_id, $1::uuid) ORDER BY id DESC`,
);

/** All keys of an account, newest first. */
export function listApiKeys(db: Queryable, accountId: string): Promise<ApiKey[]> {
  return readAsAccount<ApiKey>(db, accountId, selectAll, []);
}

const selectOfAccount = accountRead(
  'api-keys/of-account',
  `SELECT ${keyColumns} FROM api_keys WHERE in_account(account_id, $1::uuid) AND id = $2`,
);

/** Finds a key by its id, if it belongs to the account. */
export async function findKeyOfAccount(db: Queryable, accountId: string, id: string): Promise<ApiKey | null> {
  const [key] = await readAsAccount<ApiKey>(db, accountId, selectOfAccount, [id]);
  return key ?? null;
}

/** Finds a key of any account. As operator. */
export async function findApiKey(db: Queryable, id: string): Promise<ApiKey | null> {
  const result = await db.query<ApiKey>({
    text: `SELECT ${keyColumns} FROM api_keys WHERE id = $1`,
    values: [id],
  });
  return result.rows[0] ?? null;
}

/** Revokes a key; null if there is no unrevoked key with this id. */
export async function revokeApiKey(db: Queryable, id: string): Promise<ApiKey | null> {
  const result = await db.query<ApiKey>({
    text: `UPDATE api_keys SET revoked_at = tributary_now() WHERE id = $1 AND revoked_at IS NULL RETURNING ${keyColumns}`,
    values: [id],
  });
  return result.rows[0] ?? null;
}

/** Marks expired keys as revoked, so that lists show it. Expiration itself does not depend on this. */
export async function revokeExpiredApiKeys(db: Queryable): Promise<number> {
  const result = await db.query({
    text: `UPDATE api_keys SET revoked_at = tributary_now() WHERE revoked_at IS NULL AND expires_at <= tributary_now()`,
  });
  return result.rowCount ?? 0;
}

/** Records when and from where keys were last used. Newer records are kept. */
export async function noteKeyUse(
  db: Queryable,
  uses: readonly { keyId: string; at: number; address: string }[],
): Promise<void> {
  await db.query({
    text: `UPDATE api_keys k SET last_used_at = u.at, last_used_address = u.address
           FROM (SELECT id, to_timestamp(ms / 1000.0) AS at, address FROM unnest($1::uuid[], $2::float8[], $3::text[]) AS t (id, ms, address)) AS u
           WHERE k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.at)`,
    values: [uses.map(({ keyId }) => keyId), uses.map(({ at }) => at), uses.map(({ address }) => address)],
  });
}
