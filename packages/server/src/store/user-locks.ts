import type { Queryable } from './database.ts';
import type { Tenant } from './tenant.ts';

/** Keeps a user from being erased until this transaction ends, and hinders nobody else; false when it is deleted. */
export async function holdActiveUser(tx: Queryable, id: string): Promise<boolean> {
  const result = await tx.query({
    text: `SELECT FROM users WHERE id = $1 AND status = 'active' FOR KEY SHARE`,
    values: [id],
  });
  return result.rowCount === 1;
}

/** Keeps everything of a deleted user to this transaction: its layers, and by its row what refers to it. False when nothing is left of it. */
export async function lockDeletedUser(tx: Queryable, id: string): Promise<boolean> {
  await tx.query({ text: 'SELECT lock_user($1)', values: [id] });
  const result = await tx.query({
    name: 'user-locks/deleted',
    text: `SELECT FROM users WHERE id = $1 AND status = 'deleting' FOR UPDATE`,
    values: [id],
  });
  return result.rowCount === 1;
}

/** The timezone that a user's days are cut by, which nobody changes before this transaction ends; null when this tenant has no such user. */
export async function lockTimezone(tx: Queryable, tenant: Tenant, id: string): Promise<string | null> {
  const result = await tx.query<{ timezone: string }>({
    name: 'user-locks/timezone',
    text: `SELECT coalesce(u.timezone, 'UTC') AS timezone FROM users u
           WHERE in_tenant(u.account_id, u.environment, $1, $2) AND u.status = 'active' AND u.id = $3 FOR NO KEY UPDATE`,
    values: [tenant.accountId, tenant.environment, id],
  });
  return result.rows[0]?.timezone ?? null;
}
