import type { Queryable } from './database.ts';
import type { Tenant } from './tenant.ts';
import type { UserDetail } from './users.ts';

/** Keeps a user from being erased until this transaction ends, and hinders nobody else; false when it is deleted. */
export async function holdUser(tx: Queryable, id: string): Promise<boolean> {
  const result = await tx.query({
    text: `SELECT FROM users WHERE id = $1 AND status <> 'deleting' FOR KEY SHARE`,
    values: [id],
  });
  return result.rowCount === 1;
}

/** Keeps the layers and the numbers of devices of a user to this transaction. Taken before the row of the user is. */
export async function lockLayers(tx: Queryable, id: string): Promise<void> {
  await tx.query({ text: 'SELECT lock_user($1)', values: [id] });
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

/** What an update of a user can change. */
export type UserSettings = Pick<UserDetail, 'referenceId' | 'timezone' | 'profile'>;

/** What a user's settings are, which nobody changes before this transaction ends; null when this tenant has no such user. */
export async function lockUserSettings(
  tx: Queryable,
  tenant: Tenant,
  id: string,
): Promise<UserSettings | null> {
  const result = await tx.query<UserSettings>({
    name: 'user-locks/settings',
    text: `SELECT u.reference_id AS "referenceId", u.timezone, u.profile FROM users u
           WHERE in_tenant(u.account_id, u.environment, $1, $2) AND u.status = 'active' AND u.id = $3 FOR NO KEY UPDATE`,
    values: [tenant.accountId, tenant.environment, id],
  });
  return result.rows[0] ?? null;
}
