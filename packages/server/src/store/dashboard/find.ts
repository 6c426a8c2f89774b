import type { Queryable } from '../database/database.ts';
import { accountRead, readAsAccount, readAsTenant, tenantRead, type Tenant } from '../database/tenant.ts';
import { activeInTenant } from '../users/read.ts';

type Owned = 'users' | 'webhooks' | 'roster_members' | 'roster_invitations';

const conditions: Record<Owned, string> = {
  users: `t.status IN ('active', 'deleting')`,
  webhooks: `t.status <> 'deleted'`,
  roster_members: `t.status <> 'removed'`,
  roster_invitations: 'true',
};

/** Whether a tenant has such a row. */
export async function tenantHas(db: Queryable, tenant: Tenant, table: Owned, id: string): Promise<boolean> {
  const statement = tenantRead(
    `dashboard-find/${table}`,
    `SELECT t.id FROM ${table} t WHERE in_tenant(t.account_id, t.environment, $1::uuid, $2) AND t.id = $3 AND ${conditions[table]}`,
  );
  return (await readAsTenant<{ id: string }>(db, tenant, statement, [id])).length > 0;
}

const selectActive = tenantRead(
  'dashboard-find/active-users',
  `SELECT u.id FROM users u WHERE ${activeInTenant} AND u.id = ANY ($3::uuid[])`,
);

/** Those of the given users that are active users of the tenant. */
export async function listActiveUsers(
  db: Queryable,
  tenant: Tenant,
  userIds: readonly string[],
): Promise<string[]> {
  const users = await readAsTenant<{ id: string }>(db, tenant, selectActive, [userIds]);
  return users.map(({ id }) => id);
}

const byUser = {
  devices: 't.id = $1 AND t.removed_at IS NULL',
  dead_letters: 't.batch_id = $1',
};

/**
 * The users of any tenant with such a device or dead letter. As operator: row-level security on these tables is by user, who is not known yet.
 * Phones choose the IDs of batches, so several users may have the same.
 */
export async function listUsersWith(
  operator: Queryable,
  table: keyof typeof byUser,
  id: string,
): Promise<string[]> {
  const result = await operator.query<{ userId: string }>({
    name: `dashboard-find/users-with-${table}`,
    text: `SELECT t.user_id AS "userId" FROM ${table} t WHERE ${byUser[table]}`,
    values: [id],
  });
  return result.rows.map(({ userId }) => userId);
}

const ofAccount = {
  operator_roles: 't.operator_id = $2',
  operator_links: `t.id = $2 AND t.kind = 'invitation'`,
};

/** Whether the account has such a row. */
export async function accountHas(
  db: Queryable,
  accountId: string,
  table: keyof typeof ofAccount,
  id: string,
): Promise<boolean> {
  const statement = accountRead(
    `dashboard-find/${table}`,
    `SELECT t.account_id AS "accountId" FROM ${table} t WHERE in_account(t.account_id, $1::uuid) AND ${ofAccount[table]}`,
  );
  return (await readAsAccount<{ accountId: string }>(db, accountId, statement, [id])).length > 0;
}
