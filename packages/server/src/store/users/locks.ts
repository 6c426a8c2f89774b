import type { Queryable } from '../database/database.ts';
import type { Tenant } from '../database/tenant.ts';
import { timezonesOf } from './timezones.ts';
import type { UserDetail } from './users.ts';

/** Prevents the erasure of a user until this transaction ends, without blocking anything else; false if it is being deleted. */
export async function holdUser(tx: Queryable, id: string): Promise<boolean> {
  const result = await tx.query({
    text: `SELECT FROM users WHERE id = $1 AND status <> 'deleting' FOR KEY SHARE`,
    values: [id],
  });
  return result.rowCount === 1;
}

/** Locks the layers and device numbers of a user until the transaction ends. Taken before the user's row lock. */
export async function lockLayers(tx: Queryable, id: string): Promise<void> {
  await tx.query({ text: 'SELECT lock_user($1)', values: [id] });
}

/**
 * Locks everything of a deleted user until the transaction ends: its layers, and through its row everything that refers to it. False if it is erased.
 */
export async function lockDeletedUser(tx: Queryable, id: string): Promise<boolean> {
  await tx.query({ text: 'SELECT lock_user($1)', values: [id] });
  const result = await tx.query({
    name: 'user-locks/deleted',
    text: `SELECT FROM users WHERE id = $1 AND status = 'deleting' FOR UPDATE`,
    values: [id],
  });
  return result.rowCount === 1;
}

/** The settings that an update of a user can change. */
export type UserSettings = Pick<
  UserDetail,
  'referenceId' | 'timezone' | 'timezones' | 'profile' | 'daysAhead'
>;

/** Reads and locks a user's settings until the transaction ends; null if this tenant has no such user. */
export async function lockUserSettings(
  tx: Queryable,
  tenant: Tenant,
  id: string,
): Promise<UserSettings | null> {
  const result = await tx.query<UserSettings>({
    name: 'user-locks/settings',
    text: `SELECT u.reference_id AS "referenceId", u.timezone, ${timezonesOf('u')} AS timezones,
             u.profile, u.days_ahead AS "daysAhead" FROM users u
           WHERE in_tenant(u.account_id, u.environment, $1, $2) AND u.status = 'active' AND u.id = $3 FOR NO KEY UPDATE`,
    values: [tenant.accountId, tenant.environment, id],
  });
  return result.rows[0] ?? null;
}
