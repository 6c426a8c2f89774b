import type { LimitOverrides } from '../../account-limits.ts';
import type { Queryable } from '../database/database.ts';
import { accountRead, readAsAccount } from '../database/tenant.ts';

export interface Account {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  defaultForm: 1 | 2;
  userLimit: number | null;
  /** Limits that replace those of the configuration. */
  limits: LimitOverrides;
  /** How often phones of this account should upload. */
  syncIntervalSeconds: number;
  /** The name that invitees see. Without it, no one can be invited. */
  organizationName: string | null;
  /** The contact address that invitees see. */
  contactEmail: string | null;
  /** URLs that users may be redirected to after connecting a device. */
  redirectUrls: string[];
  /** Whether dashboard users without an authenticator have to add one before they can do anything else. */
  requireAuthenticator: boolean;
  createdAt: string;
}

const columns = `id, name, status, default_form AS "defaultForm", user_limit AS "userLimit", limits,
  sync_interval_seconds AS "syncIntervalSeconds", organization_name AS "organizationName", contact_email AS "contactEmail",
  redirect_urls AS "redirectUrls", require_authenticator AS "requireAuthenticator", created_at AS "createdAt"`;

export async function insertAccount(
  db: Queryable,
  account: { id: string; name: string; organizationName: string | null },
): Promise<Account> {
  const result = await db.query<Account>({
    text: `INSERT INTO accounts (id, name, organization_name) VALUES ($1, $2, $3) RETURNING ${columns}`,
    values: [account.id, account.name, account.organizationName],
  });
  return result.rows[0]!;
}

export async function listAccounts(db: Queryable): Promise<Account[]> {
  const result = await db.query<Account>({ text: `SELECT ${columns} FROM accounts ORDER BY id` });
  return result.rows;
}

const selectOne = accountRead(
  'accounts/find',
  `SELECT ${columns} FROM accounts WHERE in_account(id, $1::uuid)`,
);

export async function findAccount(db: Queryable, id: string): Promise<Account | null> {
  const [account] = await readAsAccount<Account>(db, id, selectOne, []);
  return account ?? null;
}

export interface AccountChanges {
  name?: string;
  status?: Account['status'];
  defaultForm?: 1 | 2;
  /** Null lifts the limit. */
  userLimit?: number | null;
  /** Null removes the limit of the account, so that the configured one applies. */
  limits?: { [Name in keyof LimitOverrides]: number | null };
  syncIntervalSeconds?: number;
  /** Null clears it. */
  organizationName?: string | null;
  /** Null clears it. */
  contactEmail?: string | null;
  addRedirectUrls?: readonly string[];
  removeRedirectUrls?: readonly string[];
  requireAuthenticator?: boolean;
}

/** Reads the account and locks it until the transaction ends. */
export async function lockAccount(tx: Queryable, id: string): Promise<Account | null> {
  const result = await tx.query<Account>({
    text: `SELECT ${columns} FROM accounts WHERE id = $1 FOR UPDATE`,
    values: [id],
  });
  return result.rows[0] ?? null;
}

/** Applies the given changes; null if there is no such account. */
export async function updateAccount(
  db: Queryable,
  id: string,
  changes: AccountChanges,
): Promise<Account | null> {
  const result = await db.query<Account>({
    text: `UPDATE accounts SET name = coalesce($2, name), status = coalesce($3, status),
             default_form = coalesce($4, default_form), user_limit = CASE WHEN $5 THEN $6 ELSE user_limit END,
             sync_interval_seconds = coalesce($7, sync_interval_seconds),
             organization_name = CASE WHEN $8 THEN $9 ELSE organization_name END,
             contact_email = CASE WHEN $10 THEN $11 ELSE contact_email END,
             limits = jsonb_strip_nulls(limits || $15::jsonb),
             redirect_urls = ARRAY(SELECT DISTINCT url FROM unnest(redirect_urls || $12::text[]) AS url WHERE url <> ALL ($13::text[]) ORDER BY url),
             require_authenticator = coalesce($14, require_authenticator)
           WHERE id = $1 RETURNING ${columns}`,
    values: [
      id,
      changes.name ?? null,
      changes.status ?? null,
      changes.defaultForm ?? null,
      changes.userLimit !== undefined,
      changes.userLimit ?? null,
      changes.syncIntervalSeconds ?? null,
      changes.organizationName !== undefined,
      changes.organizationName ?? null,
      changes.contactEmail !== undefined,
      changes.contactEmail ?? null,
      changes.addRedirectUrls ?? [],
      changes.removeRedirectUrls ?? [],
      changes.requireAuthenticator ?? null,
      changes.limits ?? {},
    ],
  });
  return result.rows[0] ?? null;
}
